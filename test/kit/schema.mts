import { readdir } from 'node:fs/promises';

import type { OutputSchema } from '../../scripts/output-schemas.mts';
import { isObject } from './typed.mts';

/** Returns the operations that have a schema in this folder, as `resource.operation`. */
export async function operationsWithSchema(folder: string): Promise<string[]> {
	const files = await readdir(folder, { recursive: true });
	return files
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace(/\.json$/, '').replaceAll('/', '.'))
		.sort();
}

/** Returns a copy of the schema in which an object with named fields allows no other fields, unless the schema says so. */
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

/**
 * Returns the paths of the fields that are in the schema but in none of the values. If a list is empty in every value, the
 * fields of its entries are skipped.
 */
export function fieldsNeverSeen(schema: OutputSchema, values: unknown[], path = ''): string[] {
	if (schema.items) {
		const entries = values.flat();
		return entries.length === 0 ? [] : fieldsNeverSeen(schema.items, entries, `${path}[]`);
	}
	const records = values.filter(isObject);
	return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
		const present = records.map((record) => record[name]).filter((value) => value !== undefined);
		const field = path === '' ? name : `${path}.${name}`;
		return present.length === 0 ? [field] : fieldsNeverSeen(property, present, field);
	});
}
