import type { FastifyInstance } from 'fastify';
import { newAjv } from './contract.mts';
import { isObject } from './guards.mts';

/** Validates requests by the contract: bodies as they are, query values turned into what the contract says. */
export function validateByContract(app: FastifyInstance): void {
	const forBodies = newAjv({ coerceTypes: false });
	const forQueries = newAjv({ coerceTypes: true });
	app.setValidatorCompiler<object>(({ schema, httpPart }) =>
		(httpPart === 'body' ? forBodies : forQueries).compile(schema),
	);
	// Responses are checked by ResponseContract; fastify's own serializer would quietly drop fields.
	app.setSerializerCompiler(() => (data) => JSON.stringify(data));
	app.addHook('onRoute', (route) => {
		const schema: unknown = route.schema;
		if (!isObject(schema) || typeof schema.operationId !== 'string') return;
		const { operationId, body } = schema;
		route.config = { ...route.config, operationId, bodyMediaType: mediaTypeOf(body) };
		route.schema = closedSchema(String(route.method), schema);
	});
}

/** The route's schema as the contract means it: unknown query parameters and unexpected bodies are refused. */
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

/** An operation of the contract has one media type for its body, if any. */
function mediaTypeOf(body: unknown): string | undefined {
	const content = isObject(body) ? body.content : undefined;
	return isObject(content) ? Object.keys(content)[0] : undefined;
}

function bodySchema(body: unknown): unknown {
	const content = isObject(body) ? body.content : undefined;
	const [media] = isObject(content) ? Object.values(content) : [];
	return isObject(media) ? media.schema : { type: 'object', additionalProperties: false };
}
