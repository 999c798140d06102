import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Ajv } from 'ajv';

import { loadPackage } from '../kit/engine.mts';
import { samples, SAMPLE_SEED } from '../kit/samples.mts';
import {
	closed,
	fieldsNeverSeen,
	operationsWithSchema,
	outputSchema,
	readSchema,
	schemaFile,
	schemaFolder,
} from '../kit/schema.mts';
import { useService } from '../kit/service.mts';

/**
 * Set by `npm run schemas`, which writes the files that are missing from what comes out (read them); delete one to have it
 * taken anew.
 */
const writeMissing = process.env.WRITE_SCHEMAS === '1';

const service = useService(SAMPLE_SEED);

const sampled = Object.entries(samples)
	.flatMap(([resource, operations]) => Object.keys(operations).map((name) => `${resource}.${name}`))
	.sort();

/** The node's operations, as its description lists them. */
async function operationsOfNode(): Promise<string[]> {
	const { node } = await loadPackage();
	const { properties } = node('messagingService').description;
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				options.map((option) => `${String(resource)}.${'value' in option ? option.value : ''}`),
			),
		)
		.sort();
}

/** All items of the default form that an operation gives for its samples, each run with a fresh service. */
async function outputOf(operation: string): Promise<unknown[]> {
	const [resource = '', name = ''] = operation.split('.');
	const output: unknown[] = [];
	for (const make of samples[resource]?.[name] ?? []) {
		service.emulator.reset();
		const { parameters, items, otherForm } = make(service.emulator);
		const { json, error } = await service.run(resource, name, parameters, { items });
		expect(error).toBeUndefined();
		expect(service.emulator.violations).toEqual([]);
		expect(json).not.toEqual([]);
		if (!otherForm) output.push(...json);
	}
	return output;
}

test('every operation of the node has samples', async () => {
	expect(sampled).toEqual(await operationsOfNode());
});

test('every operation has a schema and every schema an operation, in the package too', async () => {
	const operations = await operationsOfNode();
	expect(await operationsWithSchema(schemaFolder)).toEqual(operations);
	expect(await operationsWithSchema(join('dist', schemaFolder))).toEqual(operations);
});

test.each(sampled)('the schema of %s is what comes out', async (operation) => {
	if (!(await operationsOfNode()).includes(operation)) return;
	const output = await outputOf(operation);
	if (writeMissing && !existsSync(schemaFile(operation))) {
		await mkdir(dirname(schemaFile(operation)), { recursive: true });
		const text = JSON.stringify(outputSchema(output), null, '\t');
		await writeFile(schemaFile(operation), `${text}\n`);
	}
	const schema = await readSchema(operation);
	expect(schema.version).toBe(1);
	// n8n reads `version` itself; it is no word of JSON Schema.
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, keywords: ['version'] });
	const isValid = ajv.compile(closed(schema));
	for (const item of output) {
		expect({ item, errors: isValid(item) ? [] : isValid.errors }).toEqual({ item, errors: [] });
	}
	expect(fieldsNeverSeen(schema, output)).toEqual([]);
});
