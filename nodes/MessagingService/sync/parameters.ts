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
import { addToList } from '../../shared/listsByKey';
import { savedChoicesCheck } from '../../shared/savedChoices';
import { fieldsIn, toChoice, toPositiveInteger, toNumber, toSwitch } from '../../shared/values';
import { itemFactory } from '../engine/item';
import { listRecords } from '../engine/request';
import { checkSameForAll } from '../engine/sameForAll';
import { valueOrDefault } from '../fields/collections';
import { createCalls, type Calls } from './calls';
import { describeFields, readRows, readTargets, recipientValues } from './input';
import type { TargetKind, IdentifyBy, MembersApi, Recipient, Row, Target } from './types';

const modes = choices({
	add: 'Add these people',
	mirror: 'Add these people, and remove all other members',
	remove: 'Remove these people',
});

const outputs = choices({
	perRecipient: [
		'Each Recipient',
		'One output item for each input item. In Mirror mode, usually also one for each member who is not in the input.',
	],
	summary: 'One output item per group or channel, with counts such as added, removed and failed',
});

/** The parameters of a sync: whom to sync, and how. Both resources use the same objects, which the engine evaluates once. */
export const syncFields: INodeProperties[] = [
	stringField('recipient', 'Email address of the person, or the ID if "Identify By" is ID', {
		required: true,
		placeholder: '{{ $json.email }}',
		hint: 'Each input item can have its own recipient, and its own group or channel. All other fields, such as Mode, must have the same value for all items.',
	}),
	optionsField('mode', modes, 'add', 'What to do with the people in the input items'),
	switchedOff(
		'dryRun',
		'Whether the node only reports what it would do. To find people by email, a dry run may still create temporary groups, and then delete them.',
	),
	numberField(
		'maxRemovalPercent',
		20,
		'Mirror does not change a group or channel that would lose more than this percentage of its members. One lost member is allowed, unless the percentage is 0. The limit also applies to the total of all groups or channels in the run. If the total is too high, Mirror changes only groups or channels without removals.',
		0,
		{ typeOptions: { minValue: 0, maxValue: 100 }, displayOptions: { show: { mode: ['mirror'] } } },
	),
];

/** The options of a sync that groups and channels share. */
export const syncOptions: INodeProperties[] = [
	optionsField('output', outputs, 'perRecipient', 'Which items the node returns'),
	numberField('chunkSize', 500, 'Maximum number of recipients per request', 1),
	switchedOff(
		'removeDespiteInvalid',
		'Whether Mirror may remove people even if it is unclear whom an item means. For example, the address is #N/A, or the address field is missing. If off, one unclear item usually stops all removals, because any member might be the person. Unlike a missing address field, an empty address field stops no removals.',
		{ displayOptions: { show: { '/mode': ['mirror'] } } },
	),
];

/** One run of sync for all groups or channels: the parameters, and what all steps share. */
export type SyncRun<Api extends MembersApi = MembersApi> = Awaited<
	ReturnType<typeof readRun<Api>>
>['run'];

/** How many further requests may look for unknown recipients, at least. With more recipients, it is one per recipient. */
const LEAST_BUDGET = 1000;

/** The parameters with one value for the whole sync: all except Recipient and the target. */
const SETTINGS = ['identifyBy', 'mode', 'dryRun', 'maxRemovalPercent', 'options'];

/**
 * Reads the parameters of a sync: Recipient and the target from every item, all others from the first item.
 *
 * @param fields all fields of the operation
 * @param createApi returns the requests of the run
 * @returns the run, and its targets in the order in which the items name them
 * @throws if a setting is invalid or differs between the items, or Recipient has no value in any item. Nothing was sent then
 */
export async function readRun<Api extends MembersApi>(
	context: IExecuteFunctions,
	targetKind: TargetKind,
	fields: INodeProperties[],
	createApi: (calls: Calls, identifyBy: IdentifyBy) => Api,
) {
	const fail = failure(context);
	savedChoicesCheck(fields)(context.getNode().parameters, fail);
	await checkSameForAll(
		context,
		SETTINGS,
		`All items of a sync need the same settings. Only Recipient and ${fieldLabel(targetKind.idName)} may differ. Nothing was sent. Split the items before this node, for example with a Filter.`,
	);
	const settings = readSettings(context);
	const { mode, identifyBy, concurrency, createMissing, maxNewGroups } = settings;
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
	const api = createApi(createCalls(context, { concurrency, log, fail }), identifyBy);
	const values = recipientValues(context, fail);
	// The targets are read after all settings are checked, because looking up names sends requests. Mode Remove creates no
	// targets, because a missing target has no members to remove.
	const maxNewTargets = createMissing && mode !== 'remove' ? maxNewGroups : undefined;
	const itemAt = itemFactory(context);
	const { named, targetIndexes } = await readTargets(context, itemAt, targetKind, maxNewTargets);
	const rows = readRows(context, values, identifyBy, targetIndexes);
	const rowsOf = new Map<number | undefined, Row[]>();
	for (const row of rows) addToList(rowsOf, targetIndexes[row.itemIndex], row);
	const targets = named.map((target, index): Target => {
		const ownRows = rowsOf.get(index) ?? [];
		return { ...target, rows: ownRows, recipients: recipientsIn(ownRows) };
	});
	const granted = Math.max(LEAST_BUDGET, recipientsIn(rows).length);
	const run = {
		...settings,
		targetKind,
		rows,
		api,
		/** Returns all targets that the key can see. By Name has read them already. */
		listTargets: async () => await listRecords(itemAt(0), targetKind.idName),
		/** How many further requests may look for unknown recipients: at the start, and now. */
		budget: { granted, remaining: granted },
		/** Aborted when the execution is canceled. */
		cancelSignal: context.getExecutionCancelSignal(),
		/** The fields of the first item, for a message. */
		inputFields: describeFields(context),
		log,
		warn,
		fail,
	};
	return { run, targets };
}

/** Reads the settings from the first item. @throws if one of them is invalid */
function readSettings(context: IExecuteFunctions) {
	const field = (name: string): FieldInfo => fieldInfo(context, name, 0);
	const read = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, 0, fallback);
	const options = fieldsIn(read('options', {}));
	const flag = (name: string) => toSwitch(valueOrDefault(options, name, false), field(name));
	/** A count that was emptied has its default. */
	const count = (name: string, fallback: number) =>
		toPositiveInteger(options[name] ?? fallback, field(name));
	const identifyBy = toChoice(read('identifyBy'), ['email', 'id'], field('identifyBy'));
	const mode = toChoice(read('mode'), ['add', 'remove', 'mirror'], field('mode'));
	const percent = mode === 'mirror' ? read('maxRemovalPercent', 20) : 100;
	const output = valueOrDefault(options, 'output', 'perRecipient');
	return {
		identifyBy,
		mode,
		dryRun: toSwitch(read('dryRun', false), field('dryRun')),
		/** The highest percentage of its people that a target may lose in Mirror. */
		maxRemovalPercent: toPercentage(percent, field('maxRemovalPercent')),
		removeDespiteInvalid: flag('removeDespiteInvalid'),
		exclusiveGroupsAreSafe: flag('exclusiveGroupsAreSafe'),
		createMissing: flag('createMissingGroups'),
		maxNewGroups: count('maxNewGroups', 50),
		/** Maximum number of recipients per request. */
		chunkSize: count('chunkSize', 500),
		/** Maximum number of requests in flight. */
		concurrency: count('concurrency', 4),
		output: toChoice(output, ['perRecipient', 'summary'], field('output')),
	};
}

/** Returns the recipients of the rows, without duplicates. */
function recipientsIn(rows: Row[]): Recipient[] {
	const found = rows.flatMap(({ recipient }) => recipient ?? []);
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

function toPercentage(given: unknown, { label, fail }: FieldInfo): number {
	const number = toNumber(given);
	if (number >= 0 && number <= 100) return number;
	throw fail(`${label} must be a number from 0 to 100`, 'Nothing was sent.');
}
