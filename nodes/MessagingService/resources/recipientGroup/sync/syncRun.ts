import type { IExecuteFunctions } from 'n8n-workflow';

import { buildPath } from '../../../../shared/transport/path';
import { isDataObject } from '../../../../shared/typeGuards';
import { failure, type Fail } from '../../../../shared/failure';
import { fieldAt, fieldLabel, type Field } from '../../../../shared/field';
import { toChoice, toNumber, toSwitch } from '../../../../shared/values';
import { resolveId } from '../../../runner/resolveId';
import { createRun, createItems } from '../../../runner/item';
import { recipientsOf, type SyncRequest } from './evidence';
import { readRecipients } from './readRecipients';
import { groupApi, type GroupApi } from './groupApi';

/** One run of sync: what was asked for, and what everything in it works with. */
export type SyncRun = SyncRequest & {
	groupId: string;
	/** The names of the first item's fields. */
	fields: string[];
	/** The most recipients a request carries. */
	chunkSize: number;
	/** The most requests at the same time. */
	concurrency: number;
	/** Mirror stops before it removes more of the group than this. */
	maxRemovalPercent: number;
	api: GroupApi;
	/** Requests left for finding out who is unknown in chunks that the service refuses. */
	extraRequests: { left: number; granted: number };
	/** Whether staging groups that a killed run left behind were looked for already. */
	leftoversDeleted: boolean;
	/** The execution's ID, for the name of a staging group. */
	executionId: string;
	/** Whether somebody cancelled the execution. */
	cancelled: () => boolean;
	/** Writes a line where n8n shows logs. */
	log: (text: string) => void;
	/** Shows the builder a line beside the output. */
	warn: (text: string) => void;
	/** Makes the error for a sync that must not go on. */
	refuse: Fail;
};

/** The reason of whoever was not reached because the execution was cancelled. */
export const CANCELLED = 'The execution was cancelled before this recipient was reached';

/** Requests for finding unknown recipients: so many at least, and one for every ten recipients. */
const LEAST_EXTRA_REQUESTS = 1000;

/** Everything but Recipient is one setting for the whole sync. */
const SETTINGS = [
	'recipientGroupId',
	'identifyBy',
	'mode',
	'dryRun',
	'maxRemovalPercent',
	'options',
];

/**
 * Reads the parameters of a sync: Recipient of every item, everything else of the first one.
 *
 * @throws before anything is changed: a setting that is not valid, or not the same for all items, and a name that no
 * group has, or several have
 */
export async function readRun(context: IExecuteFunctions): Promise<SyncRun> {
	const items = context.getInputData();
	const fail = failure(context, 0);
	for (const name of SETTINGS) checkSameForAll(context, name, items.length);

	const groupId = groupIdAt(context, 0);
	// Fails on what is no ID, before anything is sent.
	buildPath(':recipientGroupId', () => groupId, fail);
	const field = (name: string): Field => fieldAt(context, name, 0);
	const identifyBy = toChoice(setting(context, 'identifyBy'), ['email', 'id'], field('identifyBy'));
	const mode = toChoice(setting(context, 'mode'), ['add', 'remove', 'mirror'], field('mode'));
	const given = setting(context, 'options') ?? {};
	const options = isDataObject(given) ? given : {};
	const output = toChoice(
		options.output ?? 'perRecipient',
		['perRecipient', 'summary'],
		field('output'),
	);
	const input = readRecipients(recipientValues(context), identifyBy);
	const granted = Math.max(LEAST_EXTRA_REQUESTS, Math.ceil(recipientsOf(input).length / 10));
	const log = logger(context, mode);
	return {
		groupId: await groupIdFor(context),
		identifyBy,
		mode,
		input,
		fields: Object.keys(items[0]?.json ?? {}),
		chunkSize: count(options.chunkSize ?? 500, field('chunkSize')),
		concurrency: count(options.concurrency ?? 4, field('concurrency')),
		dryRun: toSwitch(setting(context, 'dryRun', 0, false), field('dryRun')),
		maxRemovalPercent:
			mode === 'mirror'
				? percentage(setting(context, 'maxRemovalPercent', 0, 20), field('maxRemovalPercent'))
				: 100,
		removeDespiteInvalid: toSwitch(
			options.removeDespiteInvalid ?? false,
			field('removeDespiteInvalid'),
		),
		perRecipient: output === 'perRecipient',
		api: groupApi(context, log),
		extraRequests: { left: granted, granted },
		leftoversDeleted: false,
		executionId: executionIdIn(context),
		cancelled: () => context.getExecutionCancelSignal()?.aborted === true,
		log,
		warn: (message) => {
			log(message);
			context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		},
		refuse: failure(context),
	};
}

/** The ID of the group, looked up where it is given by its name. */
async function groupIdFor(context: IExecuteFunctions): Promise<string> {
	const run = createRun(context, (message) => context.logger.warn(message));
	return String(await resolveId(createItems(context, run)(0), 'recipientGroupId')).trim();
}

/** The execution's ID as one word; an execution that is not saved may have none. */
function executionIdIn(context: IExecuteFunctions): string {
	return context.getExecutionId()?.replace(/\s+/g, '') || 'unsaved';
}

/** An expression that takes one field of the item and nothing else, as Recipient does by default. */
const PLAIN_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * What Recipient gives for each item. A plain field is read from the item itself: the engine takes some 50 µs for each
 * expression, which is most of the time of a large sync (n8n-core 2.41.1).
 */
function recipientValues(context: IExecuteFunctions): unknown[] {
	const [, field] = PLAIN_FIELD.exec(String(context.getNode().parameters.recipient)) ?? [];
	return context.getInputData().map(({ json }, itemIndex): unknown => {
		if (field === undefined) return context.getNodeParameter('recipient', itemIndex, '');
		return Object.hasOwn(json, field) ? json[field] : undefined;
	});
}

function setting(
	context: IExecuteFunctions,
	name: string,
	itemIndex = 0,
	fallback?: unknown,
): unknown {
	return context.getNodeParameter(name, itemIndex, fallback);
}

function groupIdAt(context: IExecuteFunctions, itemIndex: number): unknown {
	return context.getNodeParameter('recipientGroupId', itemIndex, undefined, { extractValue: true });
}

/** Fails when an expression gives different values: one sync has one group and one mode. */
function checkSameForAll(context: IExecuteFunctions, name: string, items: number): void {
	const raw = JSON.stringify(context.getNode().parameters[name] ?? null);
	if (!raw.includes('"=')) return;
	const read = (itemIndex: number) =>
		JSON.stringify(
			name === 'recipientGroupId'
				? groupIdAt(context, itemIndex)
				: setting(context, name, itemIndex),
		);
	const first = read(0);
	for (let itemIndex = 1; itemIndex < items; itemIndex++) {
		const other = read(itemIndex);
		if (other === first) continue;
		throw failure(context, itemIndex)(
			`${fieldLabel(name)} differs between the input items: ${first} in item 0, ${other} in item ${itemIndex}`,
			'One sync works on one group, with one setting for everybody; only Recipient may differ. Nothing was sent. Split the items before this node, for example with a Loop or a Filter for each group.',
		);
	}
}

function count(given: unknown, { label, fail }: Field): number {
	const number = toNumber(given);
	if (Number.isInteger(number) && number >= 1) return number;
	throw fail(`${label} must be a whole number of 1 or more`, 'Nothing was sent.');
}

function percentage(given: unknown, { label, fail }: Field): number {
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
