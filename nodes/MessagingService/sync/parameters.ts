import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldInfo, fieldLabel, type FieldInfo } from '../../shared/field';
import {
	choices,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../shared/fieldTypes';
import { fieldsIn, toChoice, toPositiveInteger, toNumber, toSwitch } from '../../shared/values';
import { createCalls, type Calls } from './calls';
import { fieldsOf, itemValues, readRows, readTargets } from './input';
import type { Container, IdentifyBy, MembersApi, Recipient, Row, Target } from './types';

const modes = choices({
	add: 'Add these people and keep everybody else',
	mirror:
		'Make the group or channel match these people exactly: add missing people and remove all others',
	remove: 'Remove these people and keep everybody else',
});

const outputs = choices({
	perRecipient: [
		'Each Recipient',
		'One item per input item, with its result. Mirror also outputs one item per member who is not in the input.',
	],
	summary: 'One item per group or channel with the counts of its results',
});

/** The parameters of a sync: whom to sync, and how. Both resources use the same objects, which the engine evaluates once. */
export const syncFields: INodeProperties[] = [
	stringField(
		'recipient',
		'Email address or recipient ID of an input item, depending on "Identify By"',
		{
			required: true,
			placeholder: '{{ $json.email }}',
			hint: 'This field and the group or channel are evaluated for each input item, so items may name different ones. What no item names is not changed. All other fields must be the same for all items.',
		},
	),
	optionsField('mode', modes, 'add', 'What to do with the people in the input items'),
	switchedOff('dryRun', 'Whether to only report what would happen, without changing anything'),
	numberField(
		'maxRemovalPercent',
		20,
		'If Mirror would remove more than this share of a group or channel, it does not change it. This protects against incomplete input. If the share is above 0, removing one person is always allowed. If Mirror would remove more than this share of all of them together, it changes none that would lose people.',
		0,
		{
			typeOptions: { minValue: 0, maxValue: 100 },
			displayOptions: { show: { mode: ['mirror'] } },
		},
	),
];

/** The options of a sync that groups and channels share. */
export const syncOptions: INodeProperties[] = [
	optionsField('output', outputs, 'perRecipient', ''),
	numberField('chunkSize', 500, 'Maximum number of recipients per request', 1),
	switchedOff(
		'removeDespiteInvalid',
		'Whether Mirror removes people even if an address cannot be read, or the service shows nobody for it. If this is off, a single address of this kind prevents all removals. Blank addresses never prevent removals.',
		{ displayOptions: { show: { '/mode': ['mirror'] } } },
	),
];

/** One run of sync for all groups or channels: the parameters, and what all steps share. */
export type SyncRun<Api extends MembersApi = MembersApi> = Awaited<
	ReturnType<typeof readRun<Api>>
>['run'];

/** How many further requests may look for unknown recipients, if there are not more recipients than this. */
const LEAST_BUDGET = 1000;

/** The parameters with one value for the whole sync: all except Recipient and the target. */
const SETTINGS = ['identifyBy', 'mode', 'dryRun', 'maxRemovalPercent', 'options'];

/**
 * Reads the parameters of a sync: Recipient and the target from every item, all others from the first item.
 *
 * @param apiOf returns the requests of the run
 * @returns the run, and its targets in the order in which the items name them
 * @throws if a setting is invalid or differs between the items, Recipient has no value in any item, or the targets
 *   cannot be listed. If all items name one target, throws if it cannot be synced. In all these cases, nothing was
 *   changed
 */
export async function readRun<Api extends MembersApi>(
	context: IExecuteFunctions,
	container: Container,
	apiOf: (calls: Calls, identifyBy: IdentifyBy) => Api,
) {
	for (const name of SETTINGS) checkSameForAll(context, container, name);
	const field = (name: string): FieldInfo => fieldInfo(context, name, 0);
	const read = (name: string, standard?: unknown): unknown =>
		context.getNodeParameter(name, 0, standard);
	const given = fieldsIn(read('options', {}));
	const option = <Value>(
		name: string,
		standard: Value,
		convert: (value: unknown, field: FieldInfo) => Value,
	): Value => {
		if (!(name in given)) return standard;
		const value = given[name];
		// A number that was emptied has its default. A switch or choice without a value fails.
		const isEmptied = value === undefined || value === null;
		return isEmptied && typeof standard === 'number' ? standard : convert(value, field(name));
	};
	const identifyBy = toChoice(read('identifyBy'), ['email', 'id'], field('identifyBy'));
	const mode = toChoice(read('mode'), ['add', 'remove', 'mirror'], field('mode'));
	const dryRun = toSwitch(read('dryRun', false), field('dryRun'));
	const percent = mode === 'mirror' ? read('maxRemovalPercent', 20) : 100;
	const maxRemovalPercent = toPercentage(percent, field('maxRemovalPercent'));
	const removeDespiteInvalid = option('removeDespiteInvalid', false, toSwitch);
	const createMissing = option('createMissingGroups', false, toSwitch);
	const maxNewGroups = option('maxNewGroups', 50, toPositiveInteger);
	const chunkSize = option('chunkSize', 500, toPositiveInteger);
	const concurrency = option('concurrency', 4, toPositiveInteger);
	const toOutput = (value: unknown, about: FieldInfo) =>
		toChoice(value, ['perRecipient', 'summary'], about);
	/** Whether the output has an item for each recipient. */
	const perRecipient = option('output', 'perRecipient', toOutput) === 'perRecipient';
	const fail = failure(context);
	/** Writes to n8n's log and, in a manual execution, to the browser's console. */
	const log = (text: string): void => {
		const line = `Sync (${mode}): ${text}`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
	/** Shows a warning next to the output. */
	const warn = (message: string): void => {
		log(message);
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	};
	const api = apiOf(createCalls(context, { concurrency, log, fail }), identifyBy);
	const values = itemValues(context, 'recipient', context.getNode().parameters.recipient, fail);
	// The targets are read after all settings are checked, because looking up names sends requests. Mode Remove creates no
	// targets, because a missing target has no members to remove.
	const mostNew = createMissing && mode !== 'remove' ? maxNewGroups : undefined;
	const { named, targetOf } = await readTargets(context, container, mostNew);
	const rows = readRows(context, values, identifyBy, targetOf);
	const rowsOf = named.map((): Row[] => []);
	for (const row of rows) rowsOf[targetOf[row.itemIndex] ?? 0]?.push(row);
	const targets = named.map((target, place): Target => {
		const ownRows = rowsOf[place] ?? [];
		return { ...target, rows: ownRows, recipients: recipientsIn(ownRows) };
	});
	const granted = Math.max(LEAST_BUDGET, recipientsIn(rows).length);
	const run = {
		...{ container, mode, identifyBy, dryRun, removeDespiteInvalid, perRecipient, rows, api },
		/** Maximum number of recipients per request, and of requests in flight. */
		...{ chunkSize, concurrency },
		/** The highest percentage of its people that a target may lose in Mirror. */
		maxRemovalPercent,
		/** How many further requests may look for unknown recipients: at the start, and now. */
		budget: { granted, remaining: granted },
		/** Aborted when the execution is canceled. */
		cancelSignal: context.getExecutionCancelSignal(),
		/** The fields of the first item, for a message. */
		fields: fieldsOf(context),
		...{ log, warn, fail },
	};
	return { run, targets };
}

/** Returns the recipients of the rows, without duplicates. */
function recipientsIn(rows: Row[]): Recipient[] {
	const found = rows.flatMap(({ recipient }) => recipient ?? []);
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

/** Fails if an expression returns different values for different items, because a setting applies to the whole sync. */
function checkSameForAll(context: IExecuteFunctions, { idName }: Container, name: string): void {
	const raw = JSON.stringify(context.getNode().parameters[name] ?? null);
	if (!raw.includes('"=')) return;
	const read = (itemIndex: number) => JSON.stringify(context.getNodeParameter(name, itemIndex));
	const first = read(0);
	for (const itemIndex of context.getInputData().keys()) {
		const other = read(itemIndex);
		if (other === first) continue;
		throw failure(context, itemIndex)(
			`${fieldLabel(name)} differs between the input items: ${first} in item 0, ${other} in item ${itemIndex}`,
			`All items of a sync need the same settings. Only Recipient and ${fieldLabel(idName)} may differ. Nothing was sent. Split the items before this node, for example with a Filter.`,
		);
	}
}

function toPercentage(given: unknown, { label, fail }: FieldInfo): number {
	const number = toNumber(given);
	if (number >= 0 && number <= 100) return number;
	throw fail(`${label} must be a number from 0 to 100`, 'Nothing was sent.');
}
