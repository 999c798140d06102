import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions, type RunResult } from './engine.mts';
import { first, required } from './required.mts';
import type { Service } from './service.mts';
import { itemJson } from './typed.mts';

/** The path for adding and removing members. */
export const MEMBERS = '/int/v1/recipientGroup/*/recipients';

export type SyncOptions = {
	mode?: string;
	dryRun?: boolean | string;
	maxRemovalPercent?: number;
	options?: INodeParameters;
	/** Additional parameters, or replacements for those that `sync` sets. */
	parameters?: INodeParameters;
} & Partial<RunOptions>;

/** With On Error: Continue, each item has a status. */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Mirror without a limit of removals. */
export const MIRROR = { mode: 'mirror', maxRemovalPercent: 100 } as const;

type Group = { members: Set<string> };

/** Returns the whole numbers from `from` up to, but not including, `to`. */
export const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

/** Returns the status of each item. */
export const statuses = ({ json }: RunResult) => json.map(({ status }) => status);

/**
 * Returns helpers that sync the emulator's first group. The helpers identify a person by a number: the person's index in
 * the emulator.
 */
export function groupSync(service: Pick<Service, 'emulator' | 'run'>) {
	const people = () => [...service.emulator.state.people.values()];
	const person = (index: number) => required(people()[index], `person ${index}`);
	const target = () => first(service.emulator.state.recipientGroups.values(), 'group');
	const emailsOf = (...indexes: number[]) => indexes.map((index) => person(index).email);
	const idsOf = (...indexes: number[]) => indexes.map((index) => person(index)._id);

	async function sync(
		recipients: unknown[],
		{
			mode = 'add',
			dryRun = false,
			maxRemovalPercent,
			options = {},
			parameters = {},
			...run
		}: SyncOptions = {},
	): Promise<RunResult> {
		return await service.run(
			'recipientGroup.sync',
			{
				recipientGroupId: locator(target()._id, 'list'),
				identifyBy: 'email',
				recipient: '={{ $json.email }}',
				mode,
				dryRun,
				...(maxRemovalPercent === undefined ? {} : { maxRemovalPercent }),
				options,
				...parameters,
			},
			{ items: recipients.map((email) => ({ json: itemJson({ email }) })), ...run },
		);
	}

	/** Makes exactly these people the members of a group. */
	const fill = ({ members }: Group, indexes: number[]): void => {
		members.clear();
		for (const id of idsOf(...indexes)) members.add(id);
	};
	/** Returns the numbers of the people in a group, in ascending order. */
	const indexesIn = ({ members }: Group): number[] => {
		const numbers = new Map(people().map(({ _id }, index) => [_id, index]));
		return [...members].map((id) => numbers.get(id) ?? -1).sort((a, b) => a - b);
	};

	const syncIds = async (ids: unknown[], options: SyncOptions = {}) =>
		await sync(ids, { ...options, parameters: { identifyBy: 'id', ...options.parameters } });

	return {
		person,
		emailsOf,
		idsOf,
		target,
		/**
		 * The two ways to identify recipients. Each has a name, its `sync`, and a function that returns people's identifiers by
		 * their numbers.
		 */
		kinds: [
			['email', sync, emailsOf],
			['id', syncIds, idsOf],
		] as const,
		/** The fields of each output item that identify the group. */
		groupFields: () => ({ recipientGroupName: target().name, recipientGroupId: target()._id }),
		sync,
		syncIds,
		fill,
		indexesIn,
		members: (...indexes: number[]): void => fill(target(), indexes),
		memberIndexes: () => indexesIn(target()),
		groupNames: () => [...service.emulator.state.recipientGroups.values()].map(({ name }) => name),
	};
}
