import { setImmediate } from 'node:timers/promises';

import type { IDataObject, INodeType } from 'n8n-workflow';

import { anyAccessKey } from '../../kit/credentials.mts';
import { loadPackage, locator, PACKAGE, runNode } from '../../kit/engine.mts';
import { resetClock } from '../../kit/fakeSleep.mts';
import { brokenPromises, UNVERIFIED } from './promises.mts';
import { accountsOf, hasNoStatuses, isIgnoredAtFirst } from './rows.mts';
import { isMiscounted, rowsOf, type Played, type Row } from './rows.mts';
import { serveSyncModel, SyncModelService } from './service.mts';
import { isUsual, MISSING_FIELD, type Run, type Scenario } from './world.mts';
import { isObject, only } from '../../kit/typed.mts';

/** Selects the group by name or by ID, depending on the value in the item. */
const NAME_OR_ID =
	'={{ ({ mode: /^[0-9a-f]{24}$/.test($json.group) ? "id" : "name", value: $json.group }) }}';

/** Starts the server of the model. The test must fake sleep and clock first (`useFakeSleep`). */
export async function startSyncModel() {
	const server = await serveSyncModel();
	/** How often each unusual event happened, by the name of the event. */
	const counts = new Map<string, number>();
	const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

	const rejections: unknown[] = [];
	const noteRejection = (error: unknown) => rejections.push(error);
	process.on('unhandledRejection', noteRejection);

	/** Resolves when the node has really ended. If an execution is stopped, n8n does not wait for the node. */
	let ended: Promise<unknown> = Promise.resolve();
	const { node } = await loadPackage();
	const original = node('messagingService');
	const watched = original.customOperations?.recipientGroup?.sync;
	if (!watched) throw new Error('The node has no operation Sync');
	const sync: typeof watched = async function () {
		const result = watched.call(this);
		ended = result.catch(() => {});
		return await result;
	};
	const nodeType = only<INodeType>({ customOperations: { recipientGroup: { sync } } }, original);

	async function runSync(scenario: Scenario, rows: Row[], run: Run, service: SyncModelService) {
		const { mode, identifyBy, groupBy, maxRemovalPercent, removeDespiteInvalid } = scenario;
		return await runNode({
			credential: anyAccessKey(server.url),
			parameters: {
				...{ resource: 'recipientGroup', operation: 'sync', mode, identifyBy, dryRun: run.isDry },
				recipientGroupId: groupBy === 'both' ? NAME_OR_ID : locator('={{ $json.group }}', groupBy),
				recipient: '={{ $json.person }}',
				maxRemovalPercent,
				options: {
					...{ ...scenario.options, removeDespiteInvalid },
					output: run.isSummary ? 'summary' : 'perRecipient',
				},
			},
			items: rows.map(({ recipient, groupText }) => ({
				json:
					recipient === MISSING_FIELD
						? { group: groupText }
						: { person: recipient, group: groupText },
			})),
			onError: run.isSummary ? 'stopWorkflow' : 'continueRegularOutput',
			otherNode: { nodeType, type: `${PACKAGE}.messagingService`, typeVersion: 1 },
			onStart: (cancel) => (service.cancel = cancel),
		});
	}

	/** Runs a scenario. Returns a sentence for each broken promise. */
	async function play(scenario: Scenario): Promise<string[]> {
		for (const what of odditiesOf(scenario)) count(what);
		let service = new SyncModelService(scenario, count);
		const found: string[] = [];
		let last: Played | undefined;
		for (const run of scenario.runs) {
			resetClock();
			if (run.isFresh) service = new SyncModelService(scenario, count);
			server.use(service);
			service.begin(run.isCalm);
			const rows = rowsOf(service);
			const before = new Set(service.groups.values());
			const result = await runSync(scenario, rows, run, service);
			await ended;
			const added = [...service.groups.values()].filter((group) => !before.has(group));
			const played: Played = { run, rows, service, result, added };
			const kind = `${run.isDry ? 'dry ' : ''}${scenario.mode} by ${scenario.identifyBy}`;
			count(`${hasNoStatuses(played) ? 'without statuses: ' : ''}${kind}`);
			found.push(...brokenPromises(played));
			if (last) found.push(...contradictions(last, played));
			last = played;
		}
		// Gives Node the time to report rejections that are not handled.
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
	};
}

/** Returns the unusual properties of the people, the groups and the runs of a scenario. */
function odditiesOf(scenario: Scenario): string[] {
	const { people, quirks, groups, runs } = scenario;
	const kinds = runs.map(
		({ isDry, isSummary }) => `${isDry ? 'dry' : 'real'}${isSummary ? ' summary' : ''}`,
	);
	return [
		...people.flatMap((one) =>
			one.secondAddress === 'none' ? [] : `two addresses, ${one.secondAddress}`,
		),
		...people.flatMap((one) =>
			one.secondAccount === 'none' ? [] : `two accounts, ${one.secondAccount}`,
		),
		...[`groups: ${groups}`, `exclusive: ${quirks.exclusive}`, `total: ${quirks.total}`],
		...[
			`counts: ${quirks.counts}`,
			`runs: ${kinds.join(', then ')}`,
			`usual world: ${isUsual(scenario)}`,
		],
	];
}

/** Returns a sentence for each contradiction between two runs of one scenario. */
function contradictions(first: Played, second: Played): string[] {
	const { scenario } = second.service;
	if (second.run.isSummary) {
		// If requests are sent at the same time, or if there is an outage, the two runs may meet different faults.
		const isOutage = scenario.disturbances.some(({ what }) => what === 'outage');
		const isSame = scenario.options.concurrency === 1 && !isOutage;
		if (!isSame || hasNoStatuses(first) || isOfCounts(first)) return [];
		const { json, error } = second.result;
		const summary = isObject(error?.context.summary) ? [error.context.summary] : json;
		const items = totals(
			first.result.json.map(({ status }) => ({ [String(status)]: status ? 1 : 0 })),
		);
		return items === totals(summary)
			? []
			: [`the summary says ${totals(summary)}, the items ${items}`];
	}
	if (hasNoStatuses(first) || hasNoStatuses(second)) return [];
	const isUnsure = ({ status, reason }: IDataObject) =>
		status === 'failed' || status === 'unknown' || UNVERIFIED.test(String(reason));
	return first.rows.flatMap((row, index) => {
		const [one, other] = [first.result.json[index] ?? {}, second.result.json[index] ?? {}];
		// Both statuses are right if only one of two accounts is a member, or if the service ignores a person at first.
		const [, another] = accountsOf(second.service, [row]);
		const isAmbiguous = another ?? isIgnoredAtFirst(row, second.service);
		// The service removes new members of an exclusive group from all other groups, even after Sync has read these groups.
		const isMoved = scenario.quirks.exclusive === 'first';
		if (isUnsure(one) || isUnsure(other) || isAmbiguous || isMoved) return [];
		if (scenario.mode !== 'mirror' && isMiscounted(row, first)) return [];
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

/**
 * Whether a summary may be wrong because it relies on counts. Counts show neither the second address of a person nor an
 * address that the service ignores.
 */
function isOfCounts({ rows, service, result }: Played): boolean {
	const { mode, identifyBy, quirks } = service.scenario;
	const isOdd =
		quirks.unknown.how === 'ignore' || rows.some((row) => isMiscounted(row, { rows, service }));
	const isUnsure = isOdd || result.json.some(({ reason }) => UNVERIFIED.test(String(reason)));
	return mode !== 'mirror' && identifyBy === 'email' && isUnsure;
}

/** Adds up the counts of several objects by key. Returns the sums that are not zero as text. */
function totals(all: object[]): string {
	const sums = new Map<string, number>();
	for (const [status, number] of all.flatMap((one) => Object.entries(one)))
		if (typeof number === 'number' && number > 0)
			sums.set(status, (sums.get(status) ?? 0) + number);
	return JSON.stringify([...sums].sort());
}
