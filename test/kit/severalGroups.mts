import { locator, type RunResult } from './engine.mts';
import { groupSync, type SyncOptions } from './groupSync.mts';
import { required } from './required.mts';
import type { Service } from './service.mts';

/** An input item: its group, and its recipient. A number stands for a person in the emulator. */
export type Row = [group: string, recipient: number | string];

/** Returns rows of people in a group. */
export const rows = (group: string, ...recipients: Array<Row[1]>): Row[] =>
	recipients.map((recipient) => [group, recipient]);

/** Returns helpers that access the emulator's groups by number, and run a sync in which each item names its group. */
export function severalGroups(service: Pick<Service, 'emulator' | 'run'>) {
	const { emailsOf, idsOf, sync, fill, indexesIn, groupNames } = groupSync(service);
	const group = (index: number) =>
		required(service.emulator.state.recipientGroups.values()[index], `group ${index}`);

	/** Syncs the rows. By default, rows give groups by name and people by email. */
	async function syncRows(
		rows: Row[],
		{
			identifyBy = 'email',
			parameters = {},
			...options
		}: { identifyBy?: 'email' | 'id' } & SyncOptions = {},
	): Promise<RunResult> {
		const written = (recipient: number | string) =>
			typeof recipient === 'string'
				? recipient
				: required((identifyBy === 'email' ? emailsOf : idsOf)(recipient)[0], 'person');
		return await sync([], {
			mode: 'mirror',
			maxRemovalPercent: 100,
			parameters: {
				recipientGroupId: locator('={{ $json.department }}', 'name'),
				identifyBy,
				recipient: '={{ $json.person }}',
				...parameters,
			},
			items: rows.map(([department, recipient]) => ({
				json: { department, person: written(recipient) },
			})),
			onError: 'continueRegularOutput',
			...options,
		});
	}

	return {
		syncRows,
		emailsOf,
		group,
		nameOf: (index: number) => group(index).name,
		/** Makes exactly these people the members of a group. */
		fill: (index: number, ...people: number[]): void => fill(group(index), people),
		/** Returns the numbers of the people in a group, in ascending order. */
		membersOf: (index: number): number[] => indexesIn(group(index)),
		names: groupNames,
	};
}
