// Derives the output schemas for n8n's editor from the API document, and writes them into the built package. If the output
// of an operation differs from the document, this operation has its own file in `nodes/MessagingService/__schema__`. The
// build has already copied these files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import { parse } from 'yaml';

import { built, isShown } from './built.mts';

/** The part of JSON Schema that n8n's output schemas use. */
export type OutputSchema = {
	type: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	additionalProperties?: boolean;
	version?: number;
};

type Fields = Record<string, OutputSchema>;
type Json = Record<string, unknown>;

/** The folder in which the editor finds the schemas (`resolveSchema` of n8n 2.41.1). */
const FOLDER = 'nodes/MessagingService/__schema__/v1.0.0';

/** The fields that Simplify keeps, and their sources in the record. */
const SIMPLE = {
	_id: ['_id'],
	name: ['name'],
	title: ['title'],
	status: ['status'],
	liveDate: ['liveDate'],
	senderEmail: ['sender', 'email'],
	recipientAmount: ['recipientAmount'],
	categories: ['categories'],
	url: ['campaignUrl', 'broadcastUrl'],
} as const;

/** The fields of a file that Simplify keeps. */
const SIMPLE_FILE = [
	...['_id', 'name', 'media', 'mime', 'format', 'size', 'width', 'height', 'mDate', 'url'],
];

const TEXT: OutputSchema = { type: 'string' };
const TRUE: OutputSchema = { type: 'boolean' };

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const record = (value: unknown): Json => (isObject(value) ? value : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The API document, with its references resolved. */
class ServiceDocument {
	private readonly document = record(parse(readFileSync('emulator/openapi.yaml', 'utf8')));

	/** Returns the endpoint for a method and a URL. The names of path parameters may differ: `:id` matches `{campaignId}`. */
	endpoint(method: string, url: string): Json | undefined {
		const withoutNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');
		const [, path] =
			Object.entries(record(this.document.paths)).find(
				([template]) => withoutNames(template) === withoutNames(url),
			) ?? [];
		const found = record(path)[method.toLowerCase()];
		return isObject(found) ? found : undefined;
	}

	/** Returns the schema of `data` in the response, if any. */
	dataOf(endpoint: Json): Json | undefined {
		const response = this.resolve(record(endpoint.responses)['200']);
		const data = this.merged(jsonSchema(response)).data;
		return data === undefined ? undefined : this.resolve(data);
	}

	/** Returns the names of the required text fields in the request body. All of these fields are IDs. */
	idsInBody(endpoint: Json): string[] {
		const schema = this.resolve(jsonSchema(this.resolve(endpoint.requestBody)));
		return list(schema.required)
			.map(String)
			.filter((name) => this.resolve(record(schema.properties)[name]).type === 'string');
	}

	/**
	 * Converts a schema to n8n's form. Integers become numbers. If a schema has no properties or items, only its type
	 * remains.
	 */
	output(schema: unknown): OutputSchema {
		const { type, enum: values, const: value, items } = this.resolve(schema);
		const fields = this.merged(schema);
		if (Object.keys(fields).length > 0) return { type: 'object', properties: this.fields(fields) };
		const types = [type ?? typeof (value ?? list(values)[0])].flat().map(String);
		const [first = 'object'] = types.map((name) => (name === 'integer' ? 'number' : name));
		return items === undefined ? { type: first } : { type: 'array', items: this.output(items) };
	}

	fields(schemas: Json): Fields {
		return Object.fromEntries(
			Object.entries(schemas).map(([name, schema]) => [name, this.output(schema)]),
		);
	}

	/** Returns the properties of a schema, including those in its `allOf` and `anyOf`. */
	merged(schema: unknown): Json {
		const { properties, allOf, anyOf } = this.resolve(schema);
		const parts = [...list(allOf), ...list(anyOf)].map((part) => this.merged(part));
		return Object.fromEntries([...parts, record(properties)].flatMap(Object.entries));
	}

	resolve(value: unknown): Json {
		const { $ref: reference, ...rest } = record(value);
		if (typeof reference !== 'string') return rest;
		const keys = reference.split('/').slice(1);
		return this.resolve(keys.reduce<unknown>((part, key) => record(part)[key], this.document));
	}
}

const jsonSchema = (content: Json): unknown =>
	record(record(record(content).content)['application/json']).schema;

/** Returns the output schemas by `resource/operation`, for all operations that have an endpoint in the document. */
function outputSchemas({ properties }: INodeTypeDescription): Map<string, OutputSchema> {
	const document = new ServiceDocument();
	const schemas = new Map<string, OutputSchema>();
	for (const { name, displayOptions, options = [] } of properties) {
		const [resource] = name === 'operation' ? (displayOptions?.show?.resource ?? []) : [];
		for (const option of options) {
			if (resource === undefined || !('routing' in option)) continue;
			const { method = 'GET', url = '' } = option.routing?.request ?? {};
			const endpoint = document.endpoint(method, url);
			if (endpoint === undefined) continue;
			const operation = 'value' in option ? String(option.value) : '';
			const ids = [...url.matchAll(/:(\w+)/g)].map(([, id = '']) => id);
			const isSimple = properties.some(
				(property) => property.name === 'simplify' && isShown(property, resource, operation),
			);
			const fields = outputFields(document, endpoint, operation, ids);
			schemas.set(`${String(resource)}/${operation}`, {
				type: 'object',
				properties: isSimple ? simplified(fields) : fields,
				version: 1,
			});
		}
	}
	return schemas;
}

/**
 * Returns the fields of an output item (docs/development/conventions.md): the fields of the record, or IDs with
 * `success` or `deleted`.
 */
function outputFields(
	document: ServiceDocument,
	endpoint: Json,
	operation: string,
	pathIds: string[],
): Fields {
	const data = document.dataOf(endpoint);
	const fields = data === undefined ? {} : document.fields(document.merged(data.items ?? data));
	const ids = (names: string[]) => Object.fromEntries(names.map((name) => [name, TEXT]));
	if (operation === 'delete') return { ...ids(pathIds), ...fields, deleted: TRUE };
	if (data === undefined) {
		return { success: TRUE, ...ids([...pathIds, ...document.idsInBody(endpoint)]) };
	}
	const lacksId = data.items === undefined && fields._id === undefined;
	return lacksId ? { ...ids(pathIds), ...fields } : fields;
}

function simplified(fields: Fields): Fields {
	const simple: Fields = {};
	if (fields.mime) {
		for (const name of SIMPLE_FILE) if (fields[name]) simple[name] = fields[name];
		return simple;
	}
	for (const [name, [from, other]] of Object.entries(SIMPLE)) {
		const field = fields[from]?.properties?.[other ?? ''] ?? fields[from] ?? fields[other ?? ''];
		if (field) simple[name] = field;
	}
	return simple;
}

for (const [operation, schema] of outputSchemas(built('MessagingService'))) {
	const file = join('dist', FOLDER, `${operation}.json`);
	if (existsSync(file)) continue;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(schema));
}
