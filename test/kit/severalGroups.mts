import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions, type RunResult } from './engine.mts';
import { groupSync } from './groupSync.mts';
import { required } from './required.mts';
import type { Service } from './service.mts';

/** An input item: its group, and its recipient. A number stands for a person in the emulator. */
export type Row = [group: string, recipient: number | string];

/** Returns helpers that access the emulator's groups by number, and run a sync in which each item names its group. */
export function severalGroups(service: Pick<Service, 'emulator' | 'run'>) {
	const { emailsOf, idsOf } = groupSync(service);
	const groups = () => [...service.emulator.state.recipientGroups.values()];
	const group = (index: number) => required(groups()[index], `group ${index}`);

	/** Syncs the rows. By default, rows give groups by name and people by email. */
	async function syncRows(
		rows: Row[],
		{
			groupBy = 'name',
			identifyBy = 'email',
			parameters = {},
			options = {},
			...run
		}: {
			groupBy?: 'name' | 'id';
			identifyBy?: 'email' | 'id';
			parameters?: INodeParameters;
			options?: INodeParameters;
		} & Partial<RunOptions> = {},
	): Promise<RunResult> {
		const written = (recipient: number | string) =>
			typeof recipient === 'string'
				? recipient
				: required((identifyBy === 'email' ? emailsOf : idsOf)(recipient)[0], 'person');
		return await service.run(
			'recipientGroup',
			'sync',
			{
				recipientGroupId: locator('={{ $json.department }}', groupBy),
				identifyBy,
				recipient: '={{ $json.person }}',
				mode: 'mirror',
				dryRun: false,
				maxRemovalPercent: 100,
				options,
				...parameters,
			},
			{
				items: rows.map(([department, recipient]) => ({
					json: { department, person: written(recipient) },
				})),
				onError: 'continueRegularOutput',
				...run,
			},
		);
	}

	return {
		syncRows,
		group,
		/** Returns the name of a group. */
		nameOf: (index: number) => group(index).name,
		/** Makes exactly these people the members of a group. */
		fill: (index: number, ...people: number[]): void => {
			group(index).members.clear();
			for (const id of idsOf(...people)) group(index).members.add(id);
		},
		/** Returns the numbers of the people in a group, in ascending order. */
		membersOf: (index: number): number[] => {
			const numbers = new Map(
				[...service.emulator.state.people.values()].map(({ _id }, number) => [_id, number]),
			);
			return [...group(index).members].map((id) => numbers.get(id) ?? -1).sort((a, b) => a - b);
		},
		names: () => groups().map(({ name }) => name),
	};
}
