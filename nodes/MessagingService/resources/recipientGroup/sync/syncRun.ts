import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { fieldAt, fieldLabel, type Field } from '../../../../shared/field';
import { toChoice, toNumber, toSwitch } from '../../../../shared/values';
import { groupApi, type GroupApi } from './groupApi';
import { fieldsOf, itemValues, readGroups } from './groups';
import type { IdentifyBy, Recipient, Row, SyncGroup } from './outcomes';

/** One run of sync for all groups: the parameters, and what all steps share. */
export type SyncRun = {
	mode: 'add' | 'remove' | 'mirror';
	identifyBy: IdentifyBy;
	dryRun: boolean;
	/** Whether Mirror removes people even if items have invalid addresses or addresses without an ID. */
	removeDespiteInvalid: boolean;
	/** Whether the output has an item for each recipient. */
	perRecipient: boolean;
	/** Maximum number of recipients per request. */
	chunkSize: number;
	/** The highest percentage of its people that a group may lose in Mirror. */
	maxRemovalPercent: number;
	rows: Row[];
	/** The fields of the first item, for a message. */
	fields: string;
	api: GroupApi;
	/** How many further requests may look for unknown recipients: `granted` at the start, `remaining` now. */
	budget: { remaining: number; granted: number };
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleaned: boolean;
		/** IDs of groups whose deletion failed. */
		undeleted: Set<string>;
		/** Names of groups that may exist although their creation failed. */
		uncertain: Set<string>;
		/** The name of a group that says `exclusive: true`, if there is one. */
		exclusive?: string;
	};
	/** Aborted when the execution is canceled. */
	cancelSignal: AbortSignal | undefined;
	/** Writes a line to n8n's log. */
	log: (text: string) => void;
	/** Shows a warning next to the output. */
	warn: (text: string) => void;
	fail: Fail;
};

/** The smallest `budget`. If there are more recipients than this, the budget is their number. */
const LEAST_BUDGET = 1000;

/** Converts the value of a parameter into a setting. @throws if the value is invalid */
type Convert<Value> = (value: unknown, field: Field) => Value;

/** The parameters with one value for the whole sync: all except Recipient and Recipient Group. */
const SETTINGS = ['identifyBy', 'mode', 'dryRun', 'maxRemovalPercent', 'options'];

/**
 * Reads the parameters of a sync: Recipient and Recipient Group from every item, all others from the first item.
 *
 * @returns the run, and its groups in the order in which the items name them
 * @throws if a setting is invalid or differs between the items, an item lacks the field of Recipient, or the groups
 *   cannot be listed. If all items name one group, throws if this group cannot be synced. In all these cases, nothing
 *   was changed
 */
export async function readRun(context: IExecuteFunctions) {
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
	const concurrency = option('concurrency', 4, toCount);
	/** Writes to n8n's log and, in a manual execution, to the browser's console. */
	const log = (text: string) => {
		const line = `Sync (${mode}): ${text}`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
	const fail = failure(context);
	const run: Omit<SyncRun, 'rows' | 'budget'> = {
		identifyBy,
		mode,
		fields: fieldsOf(context),
		chunkSize: option('chunkSize', 500, toCount),
		dryRun: toSwitch(read('dryRun', false), field('dryRun')),
		maxRemovalPercent:
			mode === 'mirror'
				? toPercentage(read('maxRemovalPercent', 20), field('maxRemovalPercent'))
				: 100,
		removeDespiteInvalid: option('removeDespiteInvalid', false, toSwitch),
		perRecipient: option('output', 'perRecipient', toOutput) === 'perRecipient',
		cancelSignal: context.getExecutionCancelSignal(),
		api: groupApi(context, { concurrency, log, fail }),
		temporary: { isCleaned: false, undeleted: new Set(), uncertain: new Set() },
		log,
		warn: (message: string) => {
			log(message);
			context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		},
		fail,
	};
	const values = itemValues(context, 'recipient', context.getNode().parameters.recipient, fail);
	// The groups are read after all settings are checked, because looking up names sends requests. Mode Remove creates no
	// groups, because a missing group has no members to remove.
	const { named, groupOf } = await readGroups(
		context,
		createMissing && mode !== 'remove' ? maxNewGroups : undefined,
	);
	const rows = readRows(values, identifyBy, groupOf);
	const rowsOf = named.map((): Row[] => []);
	for (const row of rows) rowsOf[groupOf[row.itemIndex] ?? 0]?.push(row);
	const granted = Math.max(LEAST_BUDGET, recipientsIn(rows).length);
	const groups = named.map((group, place): SyncGroup => {
		const groupRows = rowsOf[place] ?? [];
		return { ...group, rows: groupRows, recipients: recipientsIn(groupRows) };
	});
	return { run: { ...run, rows, budget: { remaining: granted, granted } }, groups };
}

/** Matches a blank text and placeholders for an empty value. */
const NOTHING = /^(-+|n\/a|none)?$/i;

/** Matches zero-width characters, which text copied from other programs may contain. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/** Matches one address of ASCII letters. Anything else could be read as the address of somebody else. */
const ADDRESS =
	/^[a-z0-9!#$%&*+/=?^_{|}~-]+([.'][a-z0-9!#$%&*+/=?^_{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

/** Matches a record ID, which is one word (path parameters in emulator/openapi.yaml). */
const ID = /^[^\s,;<>"'@]+$/;

/**
 * Reads the recipients of all input items. Blank, malformed and duplicate recipients are found here
 * and never sent.
 *
 * @param values the value of Recipient for each input item
 * @param groupOf the group of each item, because a recipient is a duplicate only within a group
 * @returns one row per item, in input order
 */
function readRows(values: unknown[], identifyBy: IdentifyBy, groupOf: number[] = []): Row[] {
	const firstItemOf = new Map<string, number>();
	const what = identifyBy === 'email' ? 'address' : 'address or ID';
	return values.map((value, itemIndex): Row => {
		const written = asWritten(value);
		const given = identifyBy === 'email' ? addressIn(written) : written;
		if (NOTHING.test(written.replace(INVISIBLE, '').trim())) {
			const reason = `No ${what}: the item is blank`;
			return { itemIndex, given: written, status: 'invalid', reason, isBlank: true };
		}
		const isReadable =
			typeof value !== 'object' && (identifyBy === 'email' ? ADDRESS : ID).test(given);
		if (!isReadable) {
			const reason = `Invalid ${what}: ${problemWith(value, identifyBy)}`;
			return { itemIndex, given: written, status: 'invalid', reason };
		}
		// The service ignores upper and lower case in emails (recipientGroup.addRecipients in emulator/openapi.yaml).
		const key = identifyBy === 'email' ? given.toLowerCase() : given;
		const place = `${groupOf[itemIndex] ?? ''} ${key}`;
		const first = firstItemOf.get(place);
		if (first === undefined) {
			firstItemOf.set(place, itemIndex);
			return { itemIndex, recipient: { key, value: given } };
		}
		const reason = `The same recipient as in item ${first}`;
		return { itemIndex, given, status: 'duplicate', reason };
	});
}

/** Returns the recipients of the rows, without duplicates. */
function recipientsIn(rows: Row[]): Recipient[] {
	const found = rows.flatMap(({ recipient }) => recipient ?? []);
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

function problemWith(value: unknown, identifyBy: IdentifyBy): string {
	if (typeof value === 'object') {
		return 'a list or an object. Split the list into items before this node';
	}
	return identifyBy === 'email'
		? 'not exactly one email address of ASCII letters'
		: 'not a recipient ID';
}

/** Returns the address in "Anna <anna@example.com>", "mailto:anna@example.com" or "anna@example.com;". */
function addressIn(written: string): string {
	const text = written
		.replace(INVISIBLE, '')
		.trim()
		.replace(/[,;.]$/, '');
	const inBrackets = /^[^<>@]*<([^<>]*)>$/.exec(text.trim())?.[1] ?? text;
	return inBrackets
		.trim()
		.replace(/^mailto:/i, '')
		.trim();
}

function asWritten(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
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
			'All items of a sync need the same settings. Only Recipient and Recipient Group may differ. Nothing was sent. Split the items before this node, for example with a Filter.',
		);
	}
}

const toOutput = (given: unknown, field: Field) =>
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
