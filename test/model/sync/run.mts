import type { IDataObject } from 'n8n-workflow';

import { anyAccessKey } from '../../kit/credentials.mts';
import { locator, runNode } from '../../kit/engine.mts';
import { resetClock } from '../../kit/fakeSleep.mts';
import { brokenPromises, UNVERIFIED } from './promises.mts';
import { accountsOf, hasNoStatuses, isMiscounted, rowsOf } from './rows.mts';
import type { Played, Row } from './rows.mts';
import { serveSyncModel, SyncModelService } from './service.mts';
import { MISSING_FIELD, type Run, type Scenario } from './world.mts';

/** Selects the group by name or by ID, depending on the value in the item. */
const NAME_OR_ID =
	'={{ ({ mode: /^[0-9a-f]{24}$/.test($json.group) ? "id" : "name", value: $json.group }) }}';

/** Starts the server of the model. The test must fake sleep and clock first (`useFakeSleep`). */
export async function startSyncModel() {
	const server = await serveSyncModel();
	async function runSync(scenario: Scenario, rows: Row[], run: Run) {
		const { mode, identifyBy, groupBy, maxRemovalPercent, removeDespiteInvalid } = scenario;
		return await runNode({
			credential: anyAccessKey(server.url),
			parameters: {
				...{ resource: 'recipientGroup', operation: 'sync', mode, identifyBy, dryRun: run.isDry },
				recipientGroupId: groupBy === 'both' ? NAME_OR_ID : locator('={{ $json.group }}', groupBy),
				recipient: '={{ $json.person }}',
				maxRemovalPercent,
				options: { ...scenario.options, removeDespiteInvalid },
			},
			items: rows.map(({ recipient, groupText }) => ({
				json:
					recipient === MISSING_FIELD
						? { group: groupText }
						: { person: recipient, group: groupText },
			})),
			onError: 'continueRegularOutput',
		});
	}

	/** Runs a scenario. Returns a sentence for each broken promise. */
	async function play(scenario: Scenario): Promise<string[]> {
		const service = new SyncModelService(scenario);
		server.use(service);
		const found: string[] = [];
		let last: Played | undefined;
		for (const run of scenario.runs) {
			resetClock();
			service.begin(run.isCalm);
			const rows = rowsOf(service);
			const before = new Set(service.groups.values());
			const result = await runSync(scenario, rows, run);
			const added = [...service.groups.values()].filter((group) => !before.has(group));
			const played: Played = { run, rows, service, result, added };
			found.push(...brokenPromises(played));
			if (last) found.push(...contradictions(last, played));
			last = played;
		}
		return found;
	}

	return {
		play,
		stop: server.stop,
	};
}

/** Returns a sentence for each contradiction between two runs of one scenario. */
function contradictions(first: Played, second: Played): string[] {
	if (hasNoStatuses(first) || hasNoStatuses(second)) return [];
	const isUnsure = ({ status, reason }: IDataObject) =>
		status === 'failed' || status === 'unknown' || UNVERIFIED.test(String(reason));
	return first.rows.flatMap((row, index) => {
		const [one, other] = [first.result.json[index] ?? {}, second.result.json[index] ?? {}];
		// Both statuses are right if only one of two accounts is a member.
		const [, another] = accountsOf(second.service, [row]);
		if (isUnsure(one) || isUnsure(other) || another) return [];
		if (second.service.scenario.mode !== 'mirror' && isMiscounted(row, first)) return [];
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
