import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { OutputSchema } from '../../scripts/output-schemas.mts';
import { isObject } from './typed.mts';

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

/** The fields that a schema names and no item has, as paths; lists without entries say nothing of their entries' fields. */
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
