import { contractDocument, httpMethods, newAjv } from '../emulator/server/contract.mts';
import { isObject } from '../emulator/server/guards.mts';

/** An endpoint of emulator/openapi.yaml. */
export type Endpoint = {
	operationId: string;
	method: string;
	path: string;
	/** The schema of `data` in the response, or undefined if the response has none. */
	data: unknown;
};

/** The types of the values at each place of some responses, for example `data[].name` → `string`. */
export type Shape = Map<string, Set<string>>;

const document = contractDocument();
const ajv = newAjv({ coerceTypes: false });
for (const [name, schema] of Object.entries(document.components.schemas)) {
	ajv.addSchema({ ...withOwnIds(schema), $id: `schema:${name}` });
}

/** Makes the `$ref`s of a schema refer to the schemas that Ajv knows. */
function withOwnIds(schema: object): Record<string, unknown> {
	const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"schema:');
	const rewritten: unknown = JSON.parse(text);
	return isObject(rewritten) ? rewritten : {};
}

/** Returns a schema behind its `$ref`s. */
function resolved(schema: unknown): Record<string, unknown> {
	if (!isObject(schema)) return {};
	if (typeof schema.$ref !== 'string') return schema;
	const keys = schema.$ref.split('/').slice(1);
	return resolved(
		keys.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), document),
	);
}

/** Returns the schema of `data`: every response is an envelope, followed by its content. */
function dataSchema(operation: object): unknown {
	const responses: unknown = Reflect.get(operation, 'responses');
	const { content } = resolved(isObject(responses) ? responses['200'] : undefined);
	const media = isObject(content) ? content['application/json'] : undefined;
	const { allOf } = resolved(isObject(media) ? media.schema : undefined);
	const { properties } = resolved(Array.isArray(allOf) ? allOf[1] : undefined);
	return isObject(properties) ? properties.data : undefined;
}

/** Every endpoint of the document, in its order. */
export const endpoints: Endpoint[] = Object.entries(document.paths).flatMap(([path, item]) =>
	httpMethods.flatMap((method) => {
		const operation = item[method];
		if (!operation) return [];
		return [{ operationId: operation.operationId, method, path, data: dataSchema(operation) }];
	}),
);

/** Returns the endpoint of an operation. @throws if the document has none */
export function endpointOf(operationId: string): Endpoint {
	const found = endpoints.find((endpoint) => endpoint.operationId === operationId);
	if (!found) throw new Error(`emulator/openapi.yaml has no ${operationId}`);
	return found;
}

const FIELD_NAME = /^[A-Za-z_$][\w$.-]{0,39}$/;
const RECORD_ID = /^(?=.*\d)[\da-f-]{12,}$/i;

/** Returns the name of a field for a report, without IDs and texts that people wrote. */
function shownKey(key: string): string {
	if (RECORD_ID.test(key)) return '<id>';
	return FIELD_NAME.test(key) ? key : '<text>';
}

const ANSWER = /(^|\.)q\.\d+$/;

/** Adds the types of all values in a body to a shape. It does not look into the answers of people. */
export function addShape(shape: Shape, value: unknown, at = ''): void {
	const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
	if (at !== '') shape.set(at, (shape.get(at) ?? new Set<string>()).add(type));
	if (ANSWER.test(at)) return;
	if (Array.isArray(value)) for (const entry of value) addShape(shape, entry, `${at}[]`);
	else if (isObject(value)) {
		for (const [key, inner] of Object.entries(value)) {
			addShape(shape, inner, at === '' ? shownKey(key) : `${at}.${shownKey(key)}`);
		}
	}
}

/** Returns `data[].name` for `/0/name`. */
const placeOf = (instancePath: string): string =>
	`data${instancePath
		.split('/')
		.slice(1)
		.map((key) => (/^\d+$/.test(key) ? '[]' : `.${shownKey(key)}`))
		.join('')}`;

/** Returns how the `data` of a response differs from the document, one sentence a difference. */
export function differences(operationId: string, data: unknown): string[] {
	const schema = endpointOf(operationId).data;
	if (!isObject(schema) || data === undefined || data === null) return [];
	const id = `data:${operationId}`;
	const validate = ajv.getSchema(id) ?? ajv.compile({ ...withOwnIds(schema), $id: id });
	if (validate(data)) return [];
	const errors = validate.errors ?? [];
	const severalForms = errors.filter(({ keyword }) => keyword === 'anyOf');
	const sentences = errors
		.filter(
			({ keyword, instancePath }) =>
				keyword === 'anyOf' ||
				!severalForms.some((form) => instancePath.startsWith(form.instancePath)),
		)
		.map(({ keyword, instancePath, params, message }) => {
			const place = placeOf(instancePath);
			const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
			if (typeof extra === 'string') return `${place}.${shownKey(extra)} is not in the document`;
			if (keyword === 'required') return `${place}.${String(params.missingProperty)} is missing`;
			if (keyword === 'anyOf') return `${place} has none of the documented forms`;
			const allowed: unknown = params.allowedValues;
			return `${place} ${message ?? keyword}${Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''}`;
		});
	return [...new Set(sentences)].sort();
}
