import type { SyncRequest } from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	notesOfRun,
	problemOf,
	recipientItems,
	summaryItems,
	type GroupResult,
	type ToFailure,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/report.ts';
import type {
	Summary,
	Classification,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';
import { anyNode } from '../kit/anyNode.mts';

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

/** Returns a request with two input items, the second and the fourth of the run. */
const request = (dryRun: boolean): SyncRequest => ({
	mode: 'mirror',
	identifyBy: 'email',
	dryRun,
	removeDespiteInvalid: false,
	perRecipient: true,
	recipients: [],
	input: [
		{ itemIndex: 1, recipient: { key: 'ada@example.com', value: 'Ada@example.com' } },
		{ itemIndex: 3, given: 'bea', status: 'invalid', reason: 'Not an email address' },
	],
});

const classification: Classification = {
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

const sales = { recipientGroupId: 'g1', recipientGroupName: 'Sales' };

const result = (given: Partial<Classification> = {}, dryRun = false): GroupResult => ({
	group: { ...request(dryRun), groupId: 'g1', groupName: 'Sales' },
	stopped: undefined,
	...classification,
	...given,
});

/** Another group, whose sync stopped. Its only input item, the third of the run, has no recipient. */
const stopped: GroupResult = {
	group: {
		...request(false),
		groupId: '',
		groupName: 'Ops',
		input: [{ itemIndex: 2, given: '', status: 'invalid', reason: 'Blank' }],
	},
	stopped: new Error('There is no such group'),
	lines: [{ recipient: '', status: 'invalid', reason: 'Blank' }],
	extras: [],
	summary: { ...nobody, invalid: 1 },
	notes: ['Second.'],
	firstFailure: undefined,
};

const items = (...results: GroupResult[]) => recipientItems(anyNode, results, toFailure);
const summaries = (...results: GroupResult[]) => summaryItems(anyNode, results, toFailure);
const problem = (...results: GroupResult[]) => problemOf(anyNode, results, false);

describe('the item of a recipient', () => {
	test('is paired with its input item, or with the first of the group if no item names the recipient', () => {
		const all = items(result(), stopped);
		expect(all.map(({ pairedItem }) => pairedItem)).toEqual(
			[1, 2, 3, 1, 1, 2].map((item) => ({ item })),
		);
	});

	test('contains recipient, status and reason, and an error only for a failure', () => {
		expect(items(result()).map(({ json }) => json)).toEqual([
			{ recipient: 'Ada@example.com', status: 'added', reason: 'Proved', ...sales },
			{ error: 'It broke: bea', recipient: 'bea', status: 'failed', reason: 'It broke', ...sales },
			{ recipient: 'p7', status: 'removed', reason: 'In no input item', ...sales },
			{
				error: 'It broke there, too: p8',
				recipient: 'p8',
				status: 'failed',
				reason: 'It broke there, too',
				...sales,
			},
		]);
	});

	test('has no paired item on the error output if no item names the recipient', () => {
		const node = { ...anyNode, onError: 'continueErrorOutput' } as const;
		const all = recipientItems(node, [result()], toFailure);
		expect(all.slice(2).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, []]);
		expect(all[3]?.json.error).toContain('p8');
	});

	test('has dryRun in a dry run', () => {
		expect(items(result({}, true)).map(({ json }) => json.dryRun)).toEqual([
			true,
			true,
			true,
			true,
		]);
	});

	test('is followed by an error item for a group that stopped without failed recipients', () => {
		expect(items(result(), stopped).at(-1)?.json).toEqual({
			error: 'There is no such group: Ops',
			recipientGroupId: null,
			recipientGroupName: 'Ops',
		});
	});
});

describe('the summary item', () => {
	const fine = { summary: { ...nobody, added: 1 }, firstFailure: undefined };

	test('contains the counts of a group and is paired with all input items of the group', () => {
		expect(summaries(result(fine), stopped)).toEqual([
			{ json: { ...fine.summary, ...sales }, pairedItem: [{ item: 1 }, { item: 3 }] },
			{ json: expect.objectContaining({ invalid: 1 }), pairedItem: [{ item: 2 }] },
		]);
	});

	test('contains the notes, and dryRun in a dry run', () => {
		const [item] = summaries(result({ ...fine, notes: ['First.', 'Second.'] }, true));
		expect(item?.json).toEqual({ ...fine.summary, ...sales, dryRun: true, note: 'First. Second.' });
	});

	test('contains the error and the counts if the sync of a group failed', () => {
		const [failing, other] = summaries(result(), stopped);
		expect(failing?.json).toEqual({
			error: '2 recipients could not be synced: added 1, removed 1, failed 2',
			...classification.summary,
			...sales,
		});
		expect(other?.json).toMatchObject({ error: 'There is no such group: invalid 1' });
	});
});

describe('the messages of the whole run', () => {
	test("use the group's error if the run has only one group", () => {
		expect(problem(stopped)).toMatchObject({
			message: 'There is no such group',
			description: 'Second. Summary: invalid 1.',
		});
		const summary = { ...nobody, failed: 1 };
		expect(problem(result({ summary, firstFailure: 'Version 1.2 broke.' }))).toMatchObject({
			message: '1 recipient could not be synced',
			description: 'First reason: Version 1.2 broke. Summary: failed 1.',
		});
		expect(problem(result({ summary: nobody }))).toBeUndefined();
	});

	test('name the group of the first reason and add up the counts of all groups', () => {
		const both = problem(result(), stopped);
		expect(both?.message).toBe('2 recipients could not be synced');
		expect(both?.description).toBe(
			'First reason: Sales: It broke. Ops: Second. Summary: added 1, removed 1, invalid 1, failed 2.',
		);
		expect(both?.context.summary).toEqual({
			...nobody,
			added: 1,
			removed: 1,
			failed: 2,
			invalid: 1,
		});
		expect(problem(result({ summary: nobody }), stopped)?.message).toBe(
			'1 of 2 groups could not be synced',
		);
	});

	test('list a note of several groups only once', () => {
		expect(notesOfRun([result({ notes: ['First.', 'Second.'] }), stopped])).toEqual([
			'Sales: First.',
			'Sales, Ops: Second.',
		]);
		expect(notesOfRun([result({ notes: ['First.'] })])).toEqual(['First.']);
		const many = Array.from({ length: 7 }, () => stopped);
		expect(notesOfRun(many)).toEqual(['Ops, Ops, Ops, Ops, Ops and 2 more: Second.']);
		expect(notesOfRun(many.slice(2))).toEqual(['Ops, Ops, Ops, Ops, Ops: Second.']);
	});
});
