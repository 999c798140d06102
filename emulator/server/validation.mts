import type { FastifyInstance } from 'fastify';
import { newAjv, type ResponseContract } from './ajv.mts';
import { isObject } from './guards.mts';

/**
 * Makes the server validate requests against the contract. Query values are converted to the types of the contract.
 *
 * @param responses receives the documented responses of each operation
 */
export function validateByContract(app: FastifyInstance, responses: ResponseContract): void {
	const forBodies = newAjv({ coerceTypes: false });
	const forQueries = newAjv({ coerceTypes: true });
	// Compiles a schema when it is first used, because most emulators are asked for few operations.
	app.setValidatorCompiler<object>(({ schema, httpPart }) => {
		const ajv = httpPart === 'body' ? forBodies : forQueries;
		const check = (data: unknown): boolean => {
			const validate = ajv.compile(schema);
			const isValid = validate(data);
			check.errors = validate.errors;
			return isValid;
		};
		check.errors = ajv.errors;
		return check;
	});
	// Fastify's serializer would silently drop undocumented fields. ResponseContract must see them.
	app.setSerializerCompiler(() => (data) => JSON.stringify(data));
	app.addHook('onRoute', (route) => {
		const schema: unknown = route.schema;
		if (!isObject(schema) || typeof schema.operationId !== 'string') return;
		const { operationId, response, querystring, body, ...rest } = schema;
		if (isObject(response)) responses.add(operationId, response);
		const content = isObject(body) && isObject(body.content) ? body.content : {};
		const [[bodyMediaType, media] = []] = Object.entries(content);
		route.config = { ...route.config, operationId, bodyMediaType };
		// Unknown query parameters and unexpected bodies are refused.
		const closed = { type: 'object', additionalProperties: false };
		route.schema = {
			...rest,
			querystring: { ...(isObject(querystring) && querystring), ...closed },
		};
		if (route.method !== 'GET') route.schema.body = isObject(media) ? media.schema : closed;
	});
}
