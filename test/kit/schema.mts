import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseAs } from './typed.mts';

/** The part of JSON Schema that n8n's output schemas use. */
export type OutputSchema = {
	/** Several where the service gives now this, now that. */
	type: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	/** Of the file as a whole. */
	version?: number;
	additionalProperties?: boolean;
};

/** Where the editor finds them, in the source and next to the compiled node (`resolveSchema` of n8n 2.41.1). */
export const schemaFolder = 'nodes/MessagingService/__schema__/v1.0.0';

/** The operations that have a schema below a folder, as `resource.operation`. */
export async function operationsWithSchema(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) =>
			join(parentPath, name)
				.slice(folder.length + 1)
				.replace(/\.json$/, '')
				.replaceAll('/', '.'),
		)
		.sort();
}

/** The schema file of an operation. */
export async function readSchema(operation: string): Promise<OutputSchema> {
	return parseAs<OutputSchema>(await readFile(schemaFile(operation), 'utf8'));
}

/** Where the schema of an operation lies in the source. */
export function schemaFile(operation: string): string {
	return join(schemaFolder, `${operation.replace('.', '/')}.json`);
}

/** The form of output items, in the words of n8n's own schema files. Whole numbers are numbers: the service says no more. */
export function outputSchema(items: unknown[]): OutputSchema {
	return { ...formOf(items), version: 1 };
}

function formOf(values: unknown[]): OutputSchema {
	const types = [...new Set(values.map(typeOf))];
	const [type = 'null'] = types;
	if (types.length > 1) return { type: types };
	if (type === 'array') {
		const entries = values.flat();
		return entries.length > 0 ? { type, items: formOf(entries) } : { type };
	}
	if (type !== 'object') return { type };
	const records = values.filter(isObject);
	const names = [...new Set(records.flatMap(Object.keys))];
	const properties = names.map((name) => {
		const present = records.filter((record) => record[name] !== undefined);
		return [name, formOf(present.map((record) => record[name]))] as const;
	});
	return { type, properties: Object.fromEntries(properties) };
}

/** The schema that also refuses every field it does not name, where it names any. */
export function closed(schema: OutputSchema): OutputSchema {
	const result: OutputSchema = { ...schema };
	if (schema.items) result.items = closed(schema.items);
	if (schema.properties) {
		result.additionalProperties = schema.additionalProperties ?? false;
		result.properties = Object.fromEntries(
			Object.entries(schema.properties).map(([name, property]) => [name, closed(property)]),
		);
	}
	return result;
}

/** The fields that a schema names and no item has, as paths. */
export function fieldsNeverSeen(schema: OutputSchema, values: unknown[], path = ''): string[] {
	if (schema.items) return fieldsNeverSeen(schema.items, values.flat(), `${path}[]`);
	const records = values.filter(isObject);
	return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
		const present = records.map((record) => record[name]).filter((value) => value !== undefined);
		const field = path === '' ? name : `${path}.${name}`;
		return present.length === 0 ? [field] : fieldsNeverSeen(property, present, field);
	});
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}
