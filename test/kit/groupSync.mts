import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Switches } from '../../emulator/emulator.mts';
import { locator, type RunOptions, type RunResult } from './engine.mts';
import { first, required } from './required.mts';
import type { Service } from './service.mts';

/** Where members are added and removed. */
export const MEMBERS = '/int/v1/recipientGroup/*/recipients';

export type SyncOptions = {
	mode?: string;
	dryRun?: boolean | string;
	maxRemovalPercent?: number;
	options?: INodeParameters;
	/** Further parameters, or others than the ones that `sync` sets. */
	parameters?: INodeParameters;
} & Partial<RunOptions>;

/** The whole numbers from the first on, without the last. */
export const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

/** Item by item, what became of the recipients. */
export const statuses = ({ json }: RunResult) => json.map(({ status }) => status);

/** How many items have each status; an item that only says why a sync stopped has none. */
export function statusCounts(json: RunResult['json']): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of json) {
		if (typeof status === 'string') counts[status] = (counts[status] ?? 0) + 1;
	}
	return counts;
}

/** The first group of the emulator, its people by number, and sync run on them. */
export function groupSync(service: Pick<Service, 'emulator' | 'run'>) {
	const people = () => [...service.emulator.state.people.values()];
	const person = (index: number) => {
		return required(people()[index], `person ${index}`);
	};
	const target = () => first(service.emulator.state.recipientGroups.values(), 'group');
	const emailsOf = (...indexes: number[]) => indexes.map((index) => person(index).email);
	const idsOf = (...indexes: number[]) => indexes.map((index) => person(index)._id);

	/** Syncs the emails given, one an item. */
	async function sync(
		recipients: unknown[],
		{
			mode = 'add',
			dryRun = false,
			maxRemovalPercent = 20,
			options = {},
			parameters = {},
			...run
		}: SyncOptions = {},
	): Promise<RunResult> {
		return await service.run(
			'recipientGroup',
			'sync',
			{
				recipientGroupId: locator(target()._id, 'list'),
				identifyBy: 'email',
				recipient: '={{ $json.email }}',
				mode,
				dryRun,
				...(mode === 'mirror' ? { maxRemovalPercent } : {}),
				options,
				...parameters,
			},
			{ items: recipients.map(toItem), ...run },
		);
	}

	/** Syncs the IDs given, one an item. */
	const syncIds = async (ids: unknown[], options: SyncOptions = {}) =>
		await sync(ids, { ...options, parameters: { identifyBy: 'id', ...options.parameters } });

	return {
		emailsOf,
		idsOf,
		target,
		/** How recipients are identified: how to sync them, who they are by number, and somebody unknown. */
		kinds: [
			['email', sync, emailsOf, 'stranger@people.example'],
			['id', syncIds, idsOf, '64f1c0ffee0000000000abcd'],
		] as const,
		/** What each item says of the group. */
		groupFields: () => ({ recipientGroupId: target()._id, recipientGroupName: target().name }),
		sync,
		syncIds,
		/** Makes exactly these people the members of the group. */
		members: (...indexes: number[]): void => {
			target().members.clear();
			for (const id of idsOf(...indexes)) target().members.add(id);
		},
		memberIndexes: () => {
			const numbers = new Map(people().map(({ _id }, index) => [_id, index]));
			return [...target().members].map((id) => numbers.get(id) ?? -1).sort((a, b) => a - b);
		},
		groupNames: () => [...service.emulator.state.recipientGroups.values()].map(({ name }) => name),
	};
}

function toItem(email: unknown): INodeExecutionData {
	const item: INodeExecutionData = { json: {} };
	Object.assign(item.json, { email });
	return item;
}

/** How the service may list in its errorLog whom it does not know. */
export const errorLogShapes = [
	'field',
	'recipientField',
	'valueError',
	'nested',
	'text',
	'index',
	'opaque',
	'lowerCase',
] as const satisfies ReadonlyArray<Switches['errorLogShape']>;

/** What the service may do with unknown recipients, in words and as switches of the emulator. */
export const unknownModes: Array<[what: string, switches: Partial<Switches>]> = [
	['refuses the call', { unknownEmails: 'refuseCall', unknownIds: 'refuseCall' }],
	[
		'refuses the call with HTTP 400',
		{ unknownEmails: 'refuseCall', unknownIds: 'refuseCall', errorStatusHttp: 400 },
	],
	...errorLogShapes.map((errorLogShape): [string, Partial<Switches>] => [
		`lists them in errorLog (${errorLogShape})`,
		{ unknownEmails: 'errorLog', unknownIds: 'errorLog', errorLogShape },
	]),
	['passes over them in silence', { unknownEmails: 'ignore', unknownIds: 'ignore' }],
];
