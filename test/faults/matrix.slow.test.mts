import { inspect } from 'node:util';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { RecordedRequest } from '../../emulator/emulator.mts';
import { runNode, type RunOptions, type RunResult } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { watchLog } from '../kit/log.mts';
import { SAMPLE_SEED } from '../kit/samples.mts';
import { useService } from '../kit/service.mts';
import { impersonate, useTestServer } from '../kit/testServer.mts';
import { faults, type FaultCase } from './faults.mts';
import { isInShare, operations, threeItems } from './operations.mts';

/**
 * Tests every operation with every fault. Each run processes three items one after the other. The fault hits one request of
 * the second item: first only once, then on every attempt. This is repeated for each request of that item.
 *
 * Other tests cover Sync and the trigger with faults: syncFaults, syncModel and triggerModel.
 */

/** Only one in `SHARE` cases runs, and one in `SHARE_OF_SLOW` of the slow cases, which wait for a timeout. */
const SHARE = 30;
const SHARE_OF_SLOW = 150;

const TIMEOUT_MS = 500;

/** How often the node sends a failing read. */
const TRIES = 4;

/**
 * How often the node sends a request that is refused with 429 for five minutes. The waits double from half a second to a
 * minute, or they last the 70 seconds that the service asks for.
 */
const TRIES_AFTER_429 = { doubling: 11, asked: 5 };

const service = useService(SAMPLE_SEED);
const elsewhere = useTestServer(impersonate);
const log = watchLog();

useFakeSleep();

type Credential = 'access key' | 'client credentials';

type Baseline = {
	result: RunResult;
	/** Requests of the first, the middle and the last item. */
	requests: [Place[], Place[], Place[]];
};

type Place = { method: string; path: string };

const baselines = new Map<string, Promise<Baseline>>();

/** Resets the service and returns a credential without an access token from an earlier case. */
function credentialOf(kind: Credential): ICredentialDataDecryptedObject {
	service.emulator.reset();
	log.clear();
	return kind === 'access key' ? service.accessKey : service.newClient();
}

async function run(
	operation: string,
	credential: ICredentialDataDecryptedObject,
	onError: RunOptions['onError'],
	{ count = 3, timeout }: { count?: number; timeout?: number } = {},
): Promise<RunResult> {
	const [resource = '', name = ''] = operation.split('.');
	const { parameters, items } = threeItems(operation, service.emulator);
	return await runNode({
		credential,
		parameters: {
			resource,
			operation: name,
			...parameters,
			requestOptions: {
				batching: { batch: { batchSize: 1, batchInterval: 0 } },
				// Only the second item has the short timeout, because the other items may be slow on a busy machine.
				...(timeout !== undefined && { timeout: `={{ $itemIndex === 1 ? ${timeout} : 30000 }}` }),
			},
		},
		items: items.slice(0, count),
		onError,
	});
}

/** Runs an operation without a fault. Returns its output and requests. */
async function measure(operation: string): Promise<Baseline> {
	const runWith = async (count: number) => {
		const credential = credentialOf('access key');
		const result = await run(operation, credential, 'continueErrorOutput', { count });
		return { result, places: placesOf(service.requests) };
	};
	const { places: one } = await runWith(1);
	const { places: two } = await runWith(2);
	const { places: three, result } = await runWith(3);
	return { result, requests: [one, two.slice(one.length), three.slice(two.length)] };
}

async function baselineOf(operation: string): Promise<Baseline> {
	let baseline = baselines.get(operation);
	if (!baseline) baselines.set(operation, (baseline = measure(operation)));
	return await baseline;
}

const placesOf = (requests: RecordedRequest[]): Place[] =>
	requests.map(({ method, path }) => ({ method, path }));

const isChange = ({ method }: Place) => method !== 'GET';
/**
 * Returns what an operation that succeeds despite the fault does not know: without the report of a survey, the number of
 * recipients (docs/survey-results.md), and whether it created the group that Get or Create finds after the fault.
 */
function unknownOf({ operation, place, fault }: Injection): RegExp | undefined {
	if (operation.startsWith('survey.') && place.path.endsWith('/report'))
		return /"(recipients|responseRate|notListed)":(null|[\d.]+)/g;
	const isCreated = isChange(place) && /cut body|half a body|after the operation/.test(fault.name);
	return operation === 'recipientGroup.getOrCreate' && isCreated ? /"created":\w+/g : undefined;
}
const isSame = (a: Place, b: Place) => a.method === b.method && a.path === b.path;

/** Returns the output as text without IDs and times, which differ from run to run. */
function comparable(items: RunResult['items']): string {
	return JSON.stringify(items.map(({ json, pairedItem }) => ({ json, pairedItem })))
		.replace(/\b([0-9a-f]{24}|[0-9a-f]{32})\b/g, 'ID')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
		.replace(/"(VersionId|storageId)":"[^"]*"/g, '"$1":""');
}

const itemsOf = (items: RunResult['items'], index: number) =>
	items.filter(
		({ pairedItem }) =>
			typeof pairedItem === 'object' && 'item' in pairedItem && pairedItem.item === index,
	);

type Case = { operation: string; fault: FaultCase; credential: Credential };

/** A case for one request of the middle item: the fault hits the request once, or on every attempt. */
type Injection = Case & { place: Place; struck: number; always: boolean };

const cases: Array<[name: string, Case]> = operations.flatMap((operation) =>
	faults.flatMap((fault) =>
		(['access key', 'client credentials'] as const)
			.filter((credential) => credential === 'access key' || isAboutAccess(fault))
			.map((credential): [string, Case] => [
				`${operation}: ${fault.name}, ${credential}`,
				{ operation, fault, credential },
			]),
	),
);

function isAboutAccess({ kind, name }: FaultCase): boolean {
	return kind === 'access' || name.includes('secret');
}

/**
 * Returns how often the node sends a request that is always refused. With client credentials, a 401 is repeated four
 * times. After any other refusal of access, a read is repeated once. A change is repeated once if the message can only
 * mean a refused token.
 */
function sendsWhenRefused({ kind, name }: FaultCase, credential: Credential, place: Place): number {
	if (kind !== 'access' || credential === 'access key') return 1;
	if (name.startsWith('401')) return 5;
	return isChange(place) && name !== '200, Invalid access token' ? 1 : 2;
}

const chosen = cases.filter(([name, { fault }]) =>
	isInShare(name, fault.isSlow === true ? SHARE_OF_SLOW : SHARE),
);

test.each(chosen)('%s', async (_name, its) => {
	const baseline = await baselineOf(its.operation);
	const [, places] = baseline.requests;
	expect(places.length).toBeGreaterThan(0);
	for (const [struck, place] of places.entries()) {
		for (const always of triesOf(its, place) === 1 ? [false] : [false, true]) {
			await expectContinues({ ...its, place, struck, always }, baseline);
			await expectStops({ ...its, place, struck, always }, baseline);
		}
	}
});

/** Returns how often the node sends a request if the fault hits every attempt. */
function triesOf({ fault, credential }: Case, place: Place): number {
	if (fault.kind === 'access') return sendsWhenRefused(fault, credential, place);
	if (fault.kind === 'tooMany') {
		return TRIES_AFTER_429[fault.name.includes('Retry-After') ? 'asked' : 'doubling'];
	}
	return fault.isTransient === true && !isChange(place) ? TRIES : 1;
}

/** Adds the fault for a request of the middle item, and returns what to expect. */
function inject(its: Injection, baseline: Baseline, secret: string) {
	const { fault, place, struck, always } = its;
	const [before, middle] = baseline.requests;
	const tries = triesOf(its, place);
	const times = always ? tries : 1;
	service.emulator.faults.add({
		match: place,
		skip: [...before, ...middle.slice(0, struck)].filter((other) => isSame(other, place)).length,
		times,
		action: fault.action({ service: service.emulator.url, elsewhere: elsewhere.url, secret }),
	});
	const comesThrough = times < tries || unknownOf(its) !== undefined;
	/** How often the service may receive the request again. */
	const again = ['tooMany', 'access'].includes(fault.kind) ? tries - 1 : 0;
	return { comesThrough, again };
}

function secretOf(credential: ICredentialDataDecryptedObject): string {
	const { accessKey, clientId, clientSecret } = credential;
	if (typeof accessKey === 'string') return accessKey;
	return Buffer.from(`${String(clientId)}:${String(clientSecret)}`).toString('base64');
}

function expectNoSecret(credential: ICredentialDataDecryptedObject, ...shown: unknown[]): void {
	const text = inspect([...shown, log.lines], {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	const secrets = [
		credential.accessKey,
		credential.clientSecret,
		secretOf(credential),
		...service.emulator.state.keys.tokens.keys(),
	].filter((secret) => typeof secret === 'string');
	expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

/**
 * Fails if a change is sent more often than in a run without the fault. If the fault refuses the change at `place`, this
 * change may be sent up to `again` more times.
 */
function expectNoMoreChanges(allowed: Place[], place: Place, again: number): void {
	const sent = placesOf(service.requests).filter(isChange);
	// The IDs of new records change if one record was not created, so IDs are not compared.
	const form = ({ method, path }: Place) => `${method} ${path.replace(/\b[0-9a-f]{24}\b/g, ':id')}`;
	const tooOften = [...new Set(sent.map(form))].filter((each) => {
		const most = allowed.filter((other) => form(other) === each).length;
		const more = each === form(place) ? again : 0;
		return sent.filter((other) => form(other) === each).length > most + more;
	});
	expect(tooOften).toEqual([]);
}

async function expectContinues(its: Injection, baseline: Baseline): Promise<void> {
	const credential = credentialOf(its.credential);
	const { comesThrough, again } = inject(its, baseline, secretOf(credential));
	const timeout = its.fault.isSlow === true ? TIMEOUT_MS : undefined;
	const result = await run(its.operation, credential, 'continueErrorOutput', { timeout });

	expect(result.error).toBeUndefined();
	for (const index of comesThrough ? [0, 1, 2] : [0, 2]) {
		for (const output of ['items', 'errorItems'] as const) {
			const shown = ({ [output]: items }: RunResult) =>
				comparable(itemsOf(items, index)).replace(unknownOf(its) ?? '', '');
			expect(shown(result)).toBe(shown(baseline.result));
		}
	}
	if (!comesThrough) {
		expect(itemsOf(result.items, 1)).toEqual([]);
		const failed = itemsOf(result.errorItems, 1);
		expect(failed).toMatchObject([{ json: { error: expect.any(String) } }]);
		expect(JSON.stringify(failed).length).toBeLessThan(50_000);
		expect(failed[0]?.error?.context.outcomeUnknown === true).toBe(isUnclear(its));
	}
	expectNoMoreChanges(baseline.requests.flat(), its.place, again);
	expect(elsewhere.requests).toEqual([]);
	expectNoSecret(credential, result);
}

async function expectStops(its: Injection, baseline: Baseline): Promise<void> {
	const credential = credentialOf(its.credential);
	const { comesThrough, again } = inject(its, baseline, secretOf(credential));
	if (comesThrough) return;
	// If the first item fails without the fault, the run ends before the fault.
	if (itemsOf(baseline.result.errorItems, 0).length > 0) return;
	const timeout = its.fault.isSlow === true ? TIMEOUT_MS : undefined;
	const result = await run(its.operation, credential, undefined, { timeout });
	const { error } = result;
	if (!error) throw new Error('The run did not fail');
	expect(result.items).toEqual([]);
	expect(error.context.itemIndex).toBe(1);
	expect(error.context.outcomeUnknown === true).toBe(isUnclear(its));
	expectHelp(its, { message: error.message, description: error.description ?? '' });
	expectNoMoreChanges(baseline.requests.slice(0, 2).flat(), its.place, again);
	expect(inspect(error, { depth: 6 }).length).toBeLessThan(100_000);
	expectNoSecret(credential, result);
}

/** Whether the failed request may have been carried out. */
const isUnclear = ({ fault, place }: Pick<Injection, 'fault' | 'place'>) =>
	fault.kind === 'unclear' && isChange(place);

/** Checks that the error helps the user. */
function expectHelp(
	{ fault, credential, always, place }: Injection,
	{ message, description }: { message: string; description: string },
): void {
	const text = `${message} ${description}`;
	expect(message.trim()).not.toBe('');
	expect(description.trim()).not.toBe('');
	expect(description).not.toBe(message);
	expect(message.length).toBeLessThanOrEqual(500);
	expect(description.length).toBeLessThanOrEqual(1_000);
	expect(text).not.toMatch(
		/\bundefined\b|\bnull\b|\[object|Axios|\w+Error\b|Cannot read|socket hang up|ECONN|node_modules|\n\s+at /,
	);
	if (fault.errorText !== undefined) expect(text).toContain(fault.errorText);
	expect(description.includes('may or may not have been carried out')).toBe(
		isUnclear({ fault, place }),
	);
	if (fault.kind === 'access') {
		const isKnownGood = credential === 'client credentials';
		expect(description).toContain(
			isKnownGood ? 'check the rights of the owner' : 'Check the access key',
		);
	}
	if (fault.kind === 'tooMany' && always) expect(description).toContain('Batching');
}
