import type { SyncRequest } from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	recipientItems,
	summaryItem,
	type ToFailure,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/report.ts';
import type {
	Summary,
	Classification,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';

const nobody: Summary = {
	added: 0,
	alreadyMember: 0,
	removed: 0,
	notMember: 0,
	unknown: 0,
	invalid: 0,
	duplicate: 0,
	failed: 0,
};

/** Two input items, the second and the fourth of the run. */
const request = (dryRun: boolean): SyncRequest => ({
	mode: 'mirror',
	identifyBy: 'email',
	dryRun,
	removeDespiteInvalid: false,
	perRecipient: true,
	input: [
		{ itemIndex: 1, recipient: { key: 'ada@example.com', value: 'Ada@example.com' } },
		{ itemIndex: 3, given: 'bea', status: 'invalid', reason: 'Not an email address' },
	],
});

const said: Classification = {
	lines: [
		{ recipient: 'Ada@example.com', status: 'added', reason: 'Proved', unverified: true },
		{ recipient: 'bea', status: 'failed', reason: 'It broke' },
	],
	extras: [
		{ recipient: 'p7', status: 'removed', reason: 'In no input item' },
		{ recipient: 'p8', status: 'failed', reason: 'It broke there, too' },
	],
	summary: { ...nobody, added: 1, removed: 1, failed: 2 },
	notes: [],
	firstFailure: 'It broke',
};

const toFailure: ToFailure = (reason, about, json) => ({ error: `${reason}: ${about}`, ...json });

describe('an item a recipient', () => {
	const items = () => recipientItems(request(false), said, toFailure);

	test('is paired with its input item; whom no item names, with the first', () => {
		expect(items().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 1 },
			{ item: 3 },
			{ item: 0 },
			{ item: 0 },
		]);
	});

	test('says what became of whom and why, and only a failure is shaped as one', () => {
		expect(items().map(({ json }) => json)).toEqual([
			{ recipient: 'Ada@example.com', status: 'added', reason: 'Proved' },
			{ error: 'It broke: bea', recipient: 'bea', status: 'failed', reason: 'It broke' },
			{ recipient: 'p7', status: 'removed', reason: 'In no input item' },
			{
				error: 'It broke there, too: p8',
				recipient: 'p8',
				status: 'failed',
				reason: 'It broke there, too',
			},
		]);
	});

	test('of a dry run says so', () => {
		const dry = recipientItems(request(true), said, toFailure);
		expect(dry.map(({ json }) => json.dryRun)).toEqual([true, true, true, true]);
	});
});

describe('the item that counts', () => {
	test('holds the counts alone, and is paired with every input item', () => {
		expect(summaryItem(request(false), said, toFailure)).toEqual({
			json: said.summary,
			pairedItem: [{ item: 1 }, { item: 3 }],
		});
	});

	test('of a dry run says so, and what is to be said of the whole', () => {
		const { json } = summaryItem(
			request(true),
			{ ...said, notes: ['First.', 'Second.'] },
			toFailure,
		);
		expect(json).toEqual({ ...said.summary, dryRun: true, note: 'First. Second.' });
	});

	test('tells of a failure what went wrong, and what became of whom before it', () => {
		expect(summaryItem(request(false), said, toFailure, 'The group is gone').json).toEqual({
			error: 'The group is gone: added 1, removed 1, failed 2',
			...said.summary,
		});
	});
});
