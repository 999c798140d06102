import type { FastifyInstance } from 'fastify';
import { newAjv, type ResponseContract } from './contract.mts';
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
		const { operationId, body, response } = schema;
		if (isObject(response)) responses.add(operationId, response);
		route.config = { ...route.config, operationId, bodyMediaType: mediaTypeOf(body) };
		route.schema = closedSchema(String(route.method), schema);
	});
}

/** Returns the route's schema with a change: it refuses unknown query parameters and unexpected bodies. */
function closedSchema(method: string, schema: Record<string, unknown>): Record<string, unknown> {
	const { response: _response, querystring, body, ...rest } = schema;
	const closed: Record<string, unknown> = {
		...rest,
		querystring: {
			type: 'object',
			...(isObject(querystring) ? querystring : {}),
			additionalProperties: false,
		},
	};
	if (method !== 'GET') closed.body = bodySchema(body);
	return closed;
}

/** Returns the media type of the operation's body, if it has one. */
function mediaTypeOf(body: unknown): string | undefined {
	const content = isObject(body) ? body.content : undefined;
	return isObject(content) ? Object.keys(content)[0] : undefined;
}

function bodySchema(body: unknown): unknown {
	const content = isObject(body) ? body.content : undefined;
	const [media] = isObject(content) ? Object.values(content) : [];
	return isObject(media) ? media.schema : { type: 'object', additionalProperties: false };
}
