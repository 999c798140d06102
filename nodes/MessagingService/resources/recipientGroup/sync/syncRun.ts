import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { fieldAt, fieldLabel, type Field } from '../../../../shared/field';
import { toChoice, toNumber, toSwitch } from '../../../../shared/values';
import type { SyncRequest } from './evidence';
import { itemValues, readGroups, type NamedGroup } from './groups';
import { readRecipients, recipientsOf, type InputRecipient } from './readRecipients';
import { groupApi, type GroupApi } from './groupApi';

/** One run of sync for all groups: the parameters, and what all steps share. */
export type SyncRun = SyncRequest & {
	/** The names of the first item's fields. */
	fields: string[];
	/** Maximum number of recipients per request. */
	chunkSize: number;
	/** Maximum number of concurrent requests. */
	concurrency: number;
	/** Mirror stops if it would remove a higher percentage of the group. */
	maxRemovalPercent: number;
	api: GroupApi;
	/** Extra requests for finding unknown recipients in refused chunks. */
	extraRequests: { left: number; granted: number };
	/** Whether the staging groups of killed runs were already searched for and deleted. */
	leftovers: { deleted: boolean };
	/** The execution's ID as one word, for the name of a staging group. */
	executionId: string;
	/** Aborted when the execution is canceled. */
	cancelSignal: AbortSignal | undefined;
	/** Writes a line to n8n's log. */
	log: (text: string) => void;
	/** Shows a warning next to the output. */
	warn: (text: string) => void;
	/** Creates the error for a sync that must stop. */
	refuse: Fail;
};

/** The run for one group; `input` has only the items that name the group. */
export type GroupRun = SyncRun & NamedGroup;

/** The minimum of `extraRequests`. Above 10,000 recipients, there is one extra request for every ten recipients. */
const LEAST_EXTRA_REQUESTS = 1000;

/** Converts the value of a parameter into a setting. @throws if the value is invalid */
type Convert<Value> = (value: unknown, field: Field) => Value;

/** The parameters with one value for the whole sync: all except Recipient and Recipient Group. */
const SETTINGS = ['identifyBy', 'mode', 'dryRun', 'maxRemovalPercent', 'options'];

/**
 * Reads the parameters of a sync: Recipient and Recipient Group from every item, all others from the first item.
 *
 * @returns the run, and its groups in the order in which the items name them
 * @throws before anything is changed: if a setting is invalid or differs between the items, if the groups cannot be listed,
 *   or if all items name the same group and it cannot be synced
 */
export async function readRun(
	context: IExecuteFunctions,
): Promise<{ run: SyncRun; groups: GroupRun[] }> {
	for (const name of SETTINGS) checkSameForAll(context, name);
	const field = (name: string): Field => fieldAt(context, name, 0);
	const read = (name: string, standard?: unknown): unknown =>
		context.getNodeParameter(name, 0, standard);
	const option = <Value>(name: string, standard: Value, convert: Convert<Value>): Value => {
		const value = read(`options.${name}`, null) ?? undefined;
		return value === undefined ? standard : convert(value, field(name));
	};
	const identifyBy = toChoice(read('identifyBy'), ['email', 'id'], field('identifyBy'));
	const mode = toChoice(read('mode'), ['add', 'remove', 'mirror'], field('mode'));
	const createMissing = option('createMissingGroups', false, toSwitch);
	const maxNewGroups = option('maxNewGroups', 50, toCount);
	const log = logger(context, mode);
	const refuse = failure(context);
	const settings = {
		identifyBy,
		mode,
		fields: Object.keys(context.getInputData()[0]?.json ?? {}),
		chunkSize: option('chunkSize', 500, toCount),
		concurrency: option('concurrency', 4, toCount),
		dryRun: toSwitch(read('dryRun', false), field('dryRun')),
		maxRemovalPercent:
			mode === 'mirror'
				? toPercentage(read('maxRemovalPercent', 20), field('maxRemovalPercent'))
				: 100,
		removeDespiteInvalid: option('removeDespiteInvalid', false, toSwitch),
		perRecipient: option('output', 'perRecipient', toOutput) === 'perRecipient',
		api: groupApi(context, log, refuse),
		leftovers: { deleted: false },
		// An execution that is not saved may have no ID.
		executionId: context.getExecutionId()?.replace(/\s+/g, '') || 'unsaved',
		cancelSignal: context.getExecutionCancelSignal(),
		log,
		warn: (message: string) => {
			log(message);
			context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		},
		refuse,
	};
	// This runs after the settings are checked, because it may send requests to look up names. Mode Remove creates no groups,
	// because a missing group has no members to remove.
	const { named, groupOf } = await readGroups(
		context,
		createMissing && mode !== 'remove' ? maxNewGroups : undefined,
	);
	const values = itemValues(context, 'recipient', context.getNode().parameters.recipient);
	const input = readRecipients(values, identifyBy, groupOf);
	const recipients = recipientsOf(input);
	const granted = Math.max(LEAST_EXTRA_REQUESTS, Math.ceil(recipients.length / 10));
	const run: SyncRun = {
		...settings,
		input,
		recipients,
		extraRequests: { left: granted, granted },
	};
	const inputs = named.map((): InputRecipient[] => []);
	for (const entry of input) inputs[groupOf[entry.itemIndex] ?? 0]?.push(entry);
	const groups = named.map((group, place) => {
		const own = inputs[place] ?? [];
		return { ...run, ...group, input: own, recipients: recipientsOf(own) };
	});
	return { run, groups };
}

/** Fails if an expression returns different values for different items, because a setting applies to the whole sync. */
function checkSameForAll(context: IExecuteFunctions, name: string): void {
	const raw = JSON.stringify(context.getNode().parameters[name] ?? null);
	if (!raw.includes('"=')) return;
	const read = (itemIndex: number) => JSON.stringify(context.getNodeParameter(name, itemIndex));
	const first = read(0);
	for (const itemIndex of context.getInputData().keys()) {
		const other = read(itemIndex);
		if (other === first) continue;
		throw failure(context, itemIndex)(
			`${fieldLabel(name)} differs between the input items: ${first} in item 0, ${other} in item ${itemIndex}`,
			'All items of a sync need the same settings; only Recipient and Recipient Group may differ. Nothing was sent. Split the items before this node, for example with a Filter.',
		);
	}
}

const toOutput = (given: unknown, field: Field): 'perRecipient' | 'summary' =>
	toChoice(given, ['perRecipient', 'summary'], field);

function toCount(given: unknown, { label, fail }: Field): number {
	const number = toNumber(given);
	if (Number.isInteger(number) && number >= 1) return number;
	throw fail(`${label} must be a whole number of 1 or more`, 'Nothing was sent.');
}

function toPercentage(given: unknown, { label, fail }: Field): number {
	const number = toNumber(given);
	if (number >= 0 && number <= 100) return number;
	throw fail(`${label} must be a number from 0 to 100`, 'Nothing was sent.');
}

/** Writes to n8n's log, and in a manual execution to the browser's console, too. */
function logger(context: IExecuteFunctions, mode: string): (text: string) => void {
	return (text) => {
		const line = `Sync (${mode}): ${text}`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
}
