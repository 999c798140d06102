import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Ajv } from 'ajv';

import type { OutputSchema } from '../../scripts/output-schemas.mts';
import { operations, samplesOf, SAMPLE_SEED } from '../kit/samples.mts';
import { closed, fieldsNeverSeen, operationsWithSchema } from '../kit/schema.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

/** Where the editor finds the schemas, next to the compiled node (`resolveSchema` of n8n 2.41.1). */
const FOLDER = 'dist/nodes/MessagingService/__schema__/v1.0.0';

const service = useService(SAMPLE_SEED);

/** Returns the items of the default form from all samples of an operation, each run with a reset service. */
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

test('every operation has a schema and every schema an operation', async () => {
	expect(await operationsWithSchema(FOLDER)).toEqual(operations);
});

/** Send and Wait returns its output later, in a complete n8n (send-and-wait.e2e). */
const atOnce = operations.filter((operation) => operation !== 'broadcast.sendAndWait');

test.each(atOnce)('the output of %s matches its schema', async (operation) => {
	const output = await outputOf(operation);
	const file = join(FOLDER, `${operation.replace('.', '/')}.json`);
	const schema = parseAs<OutputSchema>(await readFile(file, 'utf8'));
	expect(schema.version).toBe(1);
	// n8n reads `version` itself; JSON Schema does not define it.
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, keywords: ['version'] });
	const isValid = ajv.compile(closed(schema));
	for (const item of output) {
		expect({ item, errors: isValid(item) ? [] : isValid.errors }).toEqual({ item, errors: [] });
	}
	expect(fieldsNeverSeen(schema, output)).toEqual([]);
});
