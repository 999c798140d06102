import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Ajv } from 'ajv';

import type { OutputSchema } from '../../scripts/output-schemas.mts';
import { operations, samplesOf, SAMPLE_SEED } from '../kit/samples.mts';
import { closed, fieldsNeverSeen, operationsWithSchema } from '../kit/schema.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

/** The folder where the editor finds the schemas, next to the compiled node (`resolveSchema` of n8n 2.41.1). */
const FOLDER = 'dist/nodes/MessagingService/__schema__/v1.0.0';

const service = useService(SAMPLE_SEED);

/**
 * Runs all samples of an operation, each with a reset service. Returns the items of those samples that use the default
 * output.
 */
async function outputOf(operation: string): Promise<unknown[]> {
	const [resource = '', name = ''] = operation.split('.');
	const output: unknown[] = [];
	for (const make of samplesOf(operation)) {
		service.emulator.reset();
		const { parameters, items, isDefaultForm } = make(service.emulator);
		const { json, error } = await service.run(resource, name, parameters, { items });
		expect(error).toBeUndefined();
		expect(service.emulator.violations).toEqual([]);
		expect(json).not.toEqual([]);
		if (isDefaultForm) output.push(...json);
	}
	return output;
}

test('finds a schema for every operation, and no other schema', async () => {
	expect(await operationsWithSchema(FOLDER)).toEqual(operations);
});

/** All operations except Send and Wait, whose output is tested in a complete n8n (send-and-wait.e2e). */
const withImmediateOutput = operations.filter((operation) => operation !== 'broadcast.sendAndWait');

test.each(withImmediateOutput)('matches the output of %s to its schema', async (operation) => {
	const output = await outputOf(operation);
	const file = join(FOLDER, `${operation.replace('.', '/')}.json`);
	const schema = parseAs<OutputSchema>(await readFile(file, 'utf8'));
	expect(schema.version).toBe(1);
	// `version` is a keyword of n8n, not of JSON Schema.
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, keywords: ['version'] });
	const isValid = ajv.compile(closed(schema));
	for (const item of output) {
		expect({ item, errors: isValid(item) ? [] : isValid.errors }).toEqual({ item, errors: [] });
	}
	expect(fieldsNeverSeen(schema, output)).toEqual([]);
});
