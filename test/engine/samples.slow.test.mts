import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Ajv } from 'ajv';

import type { Emulator } from '../../emulator/emulator.mts';
import type { Example } from '../../scripts/docs/example.mts';
import type { OutputSchema } from '../../scripts/output-schemas.mts';
import { operations, samplesOf, SAMPLE_SEED, type SampleMaker } from '../kit/samples.mts';
import { declared } from '../kit/sampleParameters.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { runExample, runTriggerExample } from '../kit/reference/run.mts';
import { EMPTY, NOW } from '../kit/reference/world.mts';
import { closed, fieldsNeverSeen, operationsWithSchema } from '../kit/schema.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';

/** The folder where the editor finds the schemas, next to the compiled node (`resolveSchema` of n8n 2.41.1). */
const FOLDER = 'dist/nodes/MessagingService/__schema__/v1.0.0';

// Sync asks a second time after a while, and Send and Wait waits for the broadcast to close.
useFakeSleep();
const service = useService(SAMPLE_SEED);

/** Returns an entry for each live campaign and broadcast, and one for each of its recipients. */
function deliveries({ state }: Emulator): Set<string> {
	return new Set(
		[...state.campaigns.values(), ...state.broadcasts.values()]
			.filter(({ status }) => status === '1')
			.flatMap(({ _id, recipients }) => [_id, ...[...recipients].map((id) => `${_id} ${id}`)]),
	);
}

/** Returns the IDs of the campaigns and broadcasts that the service lists with a live date. */
async function listedAsLive(): Promise<unknown[]> {
	const lists = await Promise.all(
		['campaign', 'broadcast'].map(
			async (resource) =>
				await service.run(`${resource}.getAll`, { returnAll: true, filters: { scope: 'all' } }),
		),
	);
	return lists.flatMap(({ json }) => json.filter(({ liveDate }) => liveDate).map(({ _id }) => _id));
}

/** Resets the service and runs a sample. Returns its items, and the campaigns and broadcasts that it sent. */
async function runSample(operation: string, make: SampleMaker, status?: string) {
	service.emulator.reset();
	const { parameters, items, isDefaultForm } = make(service.emulator);
	const isScheduled = parameters.status === 'scheduled';
	const before = deliveries(service.emulator);
	const { json, error } = await service.run(
		operation,
		{ ...parameters, ...(status !== undefined && { status }) },
		{ items },
	);
	expect(error).toBeUndefined();
	expect(service.emulator.violations).toEqual([]);
	expect(json).not.toEqual([]);
	const sent = [...deliveries(service.emulator)].filter((delivery) => !before.has(delivery));
	const sentIds = [...new Set(sent.map((delivery) => delivery.split(' ')[0]))];
	if (sentIds.length > 0) expect(await listedAsLive()).toEqual(expect.arrayContaining(sentIds));
	return { json: isDefaultForm ? json : [], isScheduled, hasSent: sentIds.length > 0 };
}

test('every operation has a schema, and every schema belongs to an operation', async () => {
	expect(await operationsWithSchema(FOLDER)).toEqual(operations);
});

test.each(operations)(
	'%s returns what its schema says, and sends only if its declaration says so',
	async (operation) => {
		const output: unknown[] = [];
		let hasSent = false;
		for (const make of samplesOf(operation)) {
			const run = await runSample(operation, make);
			output.push(...run.json);
			const live = run.isScheduled ? await runSample(operation, make, 'live') : run;
			hasSent ||= run.hasSent || live.hasSent;
		}
		expect(hasSent).toBe(declared.get(operation)?.sends !== undefined);
		// Send and Wait returns its output only after an answer. The end-to-end test send-and-wait
		// checks it.
		if (operation === 'broadcast.sendAndWait') return;
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
	},
);

describe('the examples of the reference', () => {
	/** What `npm run docs` prints on the pages. */
	const FILE = 'scripts/docs/examples.json';
	const small = useService(EMPTY, { clock: () => NOW });
	const all: Record<string, Example> = {};

	test.each([...operations, 'trigger'])('%s', async (operation) => {
		const isTrigger = operation === 'trigger';
		const example = await (isTrigger ? runTriggerExample(small) : runExample(small, operation));
		expect(example.output).not.toEqual({});
		all[operation] = example;
	});

	test('are those on the pages', async () => {
		const text = `${JSON.stringify(all, null, '\t')}\n`;
		if (process.env.WRITE_EXAMPLES) await writeFile(FILE, text);
		expect(parseAs<unknown>(await readFile(FILE, 'utf8'))).toEqual(parseAs<unknown>(text));
	});
});
