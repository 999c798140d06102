// Derives the output schemas for n8n's editor from the API document, and writes them into the built package. If the output
// of an operation differs from the document, this operation has its own file in `nodes/MessagingService/__schema__`. The
// build has already copied these files.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';
import { contractOperations, type ContractOperation, type Schema } from '../emulator/contract.mts';
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

/** The API document has other names for the parameters in a path: `:id` matches `{campaignId}`. */
const withoutNames = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');

/** Returns the schema of `data` in the response, if any. */
function dataOf({ responses }: ContractOperation): Schema | undefined {
	const response = responses['200']?.content?.['application/json'];
	return response && merged(response.schema).data;
}

/** Returns the names of the required text fields in the request body. All of these fields are IDs. */
function idsInBody({ requestBody }: ContractOperation): string[] {
	const { required = [], properties } = requestBody?.content['application/json']?.schema ?? {};
	return required.filter((name) => properties?.[name]?.type === 'string');
}

/** Converts a schema to n8n's form. Integers become numbers. If a schema has no properties or items, only its type remains. */
function output(schema: Schema): OutputSchema {
	const { type, enum: values = [], const: value, items } = schema;
	const fields = merged(schema);
	if (Object.keys(fields).length > 0) return { type: 'object', properties: outputs(fields) };
	const [first = 'object'] = [type ?? typeof (value ?? values[0])].flat();
	if (items) return { type: 'array', items: output(items) };
	return { type: first === 'integer' ? 'number' : first };
}

const outputs = (schemas: Record<string, Schema>): Fields =>
	Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, output(schema)]));

/** Returns the properties of a schema, including those in its `allOf` and `anyOf`. */
function merged({ properties, allOf = [], anyOf = [] }: Schema): Record<string, Schema> {
	const parts = [...allOf, ...anyOf].map(merged);
	return Object.fromEntries([...parts, properties ?? {}].flatMap(Object.entries<Schema>));
}

/** Returns the output schemas by `resource/operation`, for all operations that have an endpoint in the document. */
function outputSchemas({ properties }: INodeTypeDescription): Map<string, OutputSchema> {
	const schemas = new Map<string, OutputSchema>();
	for (const { name, displayOptions, options = [] } of properties) {
		const [resource] = name === 'operation' ? (displayOptions?.show?.resource ?? []) : [];
		for (const option of options) {
			if (resource === undefined || !('routing' in option)) continue;
			const { method = 'GET', url = '' } = option.routing?.request ?? {};
			const endpoint = contractOperations.find(
				(one) =>
					one.method === method.toLowerCase() && withoutNames(one.path) === withoutNames(url),
			);
			if (endpoint === undefined) continue;
			const operation = 'value' in option ? String(option.value) : '';
			const ids = [...url.matchAll(/:(\w+)/g)].map(([, id = '']) => id);
			const isSimple = properties.some(
				(property) => property.name === 'simplify' && isShown(property, resource, operation),
			);
			const fields = outputFields(endpoint, operation, ids);
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
function outputFields(endpoint: ContractOperation, operation: string, pathIds: string[]): Fields {
	const data = dataOf(endpoint);
	const fields = data === undefined ? {} : outputs(merged(data.items ?? data));
	const ids = (names: string[]) => Object.fromEntries(names.map((name) => [name, TEXT]));
	if (operation === 'delete') return { ...ids(pathIds), ...fields, deleted: TRUE };
	if (data === undefined) {
		return { success: TRUE, ...ids([...pathIds, ...idsInBody(endpoint)]) };
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
