import { setImmediate } from 'node:timers/promises';

import type { IDataObject, INodeType } from 'n8n-workflow';

import { anyAccessKey } from './credentials.mts';
import { loadPackage, locator, PACKAGE, runNode, type RunResult } from './engine.mts';
import { resetClock } from './fakeSleep.mts';
import fc from './property.mts';
import { deviations, expectedOf, isPlain } from './syncModelExpected.mts';
import { accountsOf, hasTwin, rowsOf, type Row } from './syncModelRows.mts';
import { hasNoStatuses, wrongChanges, type Played } from './syncModelSafety.mts';
import { serveSyncModel, SyncModelService } from './syncModelService.mts';
import { untrueClaims, UNVERIFIED } from './syncModelStatuses.mts';
import { scenarios, type Run, type Scenario } from './syncModelWorld.mts';
import { isObject, only } from './typed.mts';

/** Selects the group by name or by ID, depending on the value in the item. */
const NAME_OR_ID =
	'={{ ({ mode: /^[0-9a-f]{24}$/.test($json.group) ? "id" : "name", value: $json.group }) }}';

/** How often each odd thing happened, by its name. */
export type Counts = Map<string, number>;

/**
 * Starts the service of the model. The clock of the node must be fake (`fakeSleep`).
 *
 * @param watch is told of each run
 */
export async function startSyncModel(watch: (played: Played) => void = () => {}) {
	const server = await serveSyncModel();
	const counts: Counts = new Map();
	const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

	const rejections: unknown[] = [];
	const noteRejection = (error: unknown) => rejections.push(error);
	process.on('unhandledRejection', noteRejection);

	/** Resolves when the node has really ended: a stopped execution does not wait for it. */
	let ended: Promise<unknown> = Promise.resolve();
	const { node } = await loadPackage();
	const original = node('messagingService');
	const watched = original.customOperations?.recipientGroup?.sync;
	if (!watched) throw new Error('The node has no operation Sync');
	const nodeType = only<INodeType>(
		{
			customOperations: {
				recipientGroup: {
					async sync() {
						const result = watched.call(this);
						ended = result.catch(() => {});
						return await result;
					},
				},
			},
		},
		original,
	);

	async function sync(scenario: Scenario, rows: Row[], run: Run, service: SyncModelService) {
		const { mode, identifyBy, groupBy, chunkSize, concurrency } = scenario;
		const { maxRemovalPercent, removeDespiteInvalid, createMissingGroups, maxNewGroups } = scenario;
		const isMirror = mode === 'mirror';
		return await runNode({
			credential: anyAccessKey(server.url),
			parameters: {
				...{ resource: 'recipientGroup', operation: 'sync', mode, identifyBy, dryRun: run.isDry },
				recipientGroupId: groupBy === 'both' ? NAME_OR_ID : locator('={{ $json.group }}', groupBy),
				recipient: '={{ $json.person }}',
				...(isMirror ? { maxRemovalPercent } : {}),
				options: {
					...{ chunkSize, concurrency, createMissingGroups, maxNewGroups },
					...(isMirror ? { removeDespiteInvalid } : {}),
					...(run.isSummary ? { output: 'summary' } : {}),
				},
			},
			items: rows.map(({ recipient, groupText }) => ({
				json: { person: recipient, group: groupText },
			})),
			onError: run.isSummary ? 'stopWorkflow' : 'continueRegularOutput',
			otherNode: { nodeType, type: `${PACKAGE}.messagingService`, typeVersion: 1 },
			onStart: (cancel) => (service.cancel = cancel),
		});
	}

	/** Plays a scenario. Returns each broken promise, as a sentence. */
	async function play(scenario: Scenario): Promise<string[]> {
		let service = new SyncModelService(scenario, count);
		const found: string[] = [];
		let last: Played | undefined;
		for (const run of scenario.runs) {
			resetClock();
			if (run.isFresh) service = new SyncModelService(scenario, count);
			server.use(service);
			service.begin(run.isCalm);
			const rows = rowsOf(scenario, service);
			const expected = run.isCalm && isPlain(scenario) ? expectedOf(rows, service) : undefined;
			const before = new Set(service.groups.values());
			const result = await sync(scenario, rows, run, service);
			await ended;
			const added = [...service.groups.values()].filter((group) => !before.has(group));
			const played: Played = { run, rows, service, result, added };
			watch(played);
			count(`${hasNoStatuses(played) ? 'without statuses: ' : ''}${nameOf(scenario, run)}`);
			found.push(...wrongChanges(played), ...untrueClaims(played));
			if (expected) {
				count('exactly as expected');
				found.push(...deviations(expected, played));
			}
			if (last) found.push(...contradictions(last, played));
			last = played;
		}
		// Lets Node report them.
		await setImmediate();
		found.push(
			...rejections.splice(0).map((error) => `a rejection is not handled: ${String(error)}`),
		);
		return found;
	}

	return {
		counts,
		play,
		async stop() {
			process.off('unhandledRejection', noteRejection);
			await server.stop();
		},
		property: fc.asyncProperty(scenarios, async (scenario) => {
			const found = await play(scenario);
			if (found.length > 0) throw new Error(found.join('\n'));
		}),
	};
}

const nameOf = ({ mode, identifyBy }: Scenario, run: Run) =>
	`${run.isDry ? 'dry ' : ''}${mode} by ${identifyBy}`;

/** Returns where two runs of one scenario contradict each other. */
function contradictions(first: Played, second: Played): string[] {
	const { scenario } = second.service;
	if (second.run.isSummary) {
		// With requests at once or an outage by the clock, two runs may meet different faults.
		const isSame = scenario.concurrency === 1 && !scenario.disturbances.outage;
		if (!isSame || hasNoStatuses(first) || isOfCounts(first)) return [];
		const [items, summary] = [countsOf(first.result.json), summaryOf(second.result)];
		return items === summary ? [] : [`the summary says ${summary}, the items ${items}`];
	}
	if (hasNoStatuses(first) || hasNoStatuses(second)) return [];
	const isUnsure = ({ status, reason }: IDataObject) =>
		status === 'failed' || status === 'unknown' || /^Unverified/.test(String(reason));
	return first.rows.flatMap((row, index) => {
		const [one, other] = [first.result.json[index] ?? {}, second.result.json[index] ?? {}];
		// Where only one of two accounts of an address is a member, either status is right.
		if (isUnsure(one) || isUnsure(other) || accountsOf(row, second.service).length > 1) return [];
		if (scenario.mode !== 'mirror' && hasTwin(row, first.rows, first.service)) return [];
		const { status } = other;
		const isWrong = first.run.isDry
			? one.status !== status
			: first.run.isCalm && (status === 'added' || status === 'removed');
		const what = first.run.isDry ? 'is predicted as' : 'changes again after';
		return isWrong
			? [`item ${index} (${row.recipient}) ${what} ${String(one.status)}, then ${String(status)}`]
			: [];
	});
}

/** Whether a summary rests on counts alone: they show neither a second address nor one that the service ignores. */
function isOfCounts({ rows, service, result }: Played): boolean {
	const { mode, identifyBy, quirks } = service.scenario;
	const isTold = mode === 'mirror' || identifyBy === 'id';
	const isOdd = quirks.unknown.how === 'ignore' || rows.some((row) => hasTwin(row, rows, service));
	return !isTold && (isOdd || result.json.some(({ reason }) => UNVERIFIED.test(String(reason))));
}

function countsOf(json: IDataObject[]): string {
	const all: Record<string, number> = {};
	for (const { status } of json)
		if (typeof status === 'string') all[status] = (all[status] ?? 0) + 1;
	return sorted(all);
}

/** Returns the counts of a summary, added up over all groups. A failed sync has them in its error. */
function summaryOf({ json, error }: RunResult): string {
	const all: Record<string, number> = {};
	const summary = error?.context.summary;
	for (const one of isObject(summary) ? [summary] : json) {
		for (const [status, number] of Object.entries(one)) {
			if (typeof number === 'number' && number > 0) all[status] = (all[status] ?? 0) + number;
		}
	}
	return sorted(all);
}

const sorted = (all: Record<string, number>) =>
	JSON.stringify(Object.entries(all).sort(([one], [other]) => one.localeCompare(other)));
