import type { FaultAction, RecordedRequest } from '../../emulator/emulator.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { locator } from '../kit/engine.mts';
import { CONTINUE, groupSync, MEMBERS, MIRROR, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 3, people: 40, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, idsOf, groupFields, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

function sentCount({ body }: RecordedRequest): number {
	if (typeof body !== 'object' || body === null) return 0;
	return Object.values(body).flat().length;
}

describe('requests', () => {
	test('reads the group, then sends all items in one request', async () => {
		members(0);
		const result = await sync(emailsOf(0, 1, 2).map((email) => ` ${email.toUpperCase()} `));
		expect(service.requests[1]).toMatchObject({
			method: 'POST',
			path: `/int/v1/recipientGroup/${target()._id}/recipients`,
			body: { recipientEmails: emailsOf(0, 1, 2).map((email) => email.toUpperCase()) },
		});
		expect(statuses(result)).toEqual(['alreadyMember', 'added', 'added']);
		expect(memberIndexes()).toEqual([0, 1, 2]);
	});

	test('sends chunks of the given size, and no more concurrent requests than allowed', async () => {
		members();
		const action = { delayMs: 20 };
		service.emulator.faults.add({ match: { path: MEMBERS }, times: Infinity, action });
		await sync(emailsOf(...range(0, 40)), { options: { chunkSize: 3, concurrency: 2 } });
		const sizes = service.requests.filter(({ method }) => method === 'POST').map(sentCount);
		expect(sizes).toEqual([...Array.from({ length: 13 }, () => 3), 1]);
		expect(service.emulator.maxInFlight).toBe(2);
		expect(memberIndexes()).toEqual(range(0, 40));
	});

	test('sends nothing if no item has a valid recipient', async () => {
		const { error } = await sync(['', 'nobody']);
		expect(error?.message).toBe('No item has a valid recipient');
		expect(error?.description).toContain('The first item has the fields email.');
		const result = await sync(['', 'nobody'], { mode: 'remove', ...CONTINUE });
		const error2 = 'No item has a valid recipient';
		expect(result.json).toMatchObject([1, 2].map(() => ({ status: 'invalid', error: error2 })));
		const byId = await syncIds(emailsOf(0));
		expect(byId.error?.message).toContain('are email addresses, but Identify By is ID');
		expect(service.requests).toEqual([]);
	});

	test.each([
		...['={{ $json.email }}', '={{$json.email}}', '={{ $json["email"] }}'],
		...['={{ $json.email ?? $json.none }}', '={{ $input.item.json.email }}'],
	])('with %s, sends each valid address once, and nothing else', async (recipient) => {
		// The forms of an address: readValues.
		const readable = ['ada@example.com', '\u200B "Lovelace, Ada" <mailto:Ada@example.com> ;'];
		const others = ["o'hara+news@x.example.co.uk", 'ada@intranet', '=a@x.de'];
		const blank = ['', '-', 'n/a ', '\u200B'];
		const invalid = [
			...['ada', 'ada@example..com', 'a@example.com;b@example.com', 'a@b <ada@example.com>'],
			...['Bob, Jane, Ada <ada@example.com>', "'ada@example.com'", 'jörg@example.com', '{{ 1 }}'],
			...['null', '#N/A', '0', 7, true, ['ada@example.com'], { email: 'ada@example.com' }],
		];
		const given = [...readable, ...others, ...blank, ...invalid];
		const options = { parameters: { recipient }, ...CONTINUE };
		const { json, hints } = await sync(given, options);
		expect(hints.map(({ message }) => message)).toEqual([
			`Items without an address: ${blank.length}.`,
			`Items with an invalid address: ${invalid.length}.`,
		]);
		const is = (status: string, reason: string) => (_: unknown) => ({
			status,
			reason: expect.stringContaining(reason),
		});
		expect(json).toMatchObject([
			...readable.slice(0, 1).map(is('unknown', 'does not know')),
			...readable.slice(1).map(is('duplicate', 'The same recipient as in item 0')),
			...others.map(is('unknown', 'does not know')),
			...blank.map(is('invalid', 'No address')),
			...invalid.map(is('invalid', 'Invalid address')),
		]);
		expect(service.requests.flatMap(({ body }) => body ?? [])[0]).toEqual({
			recipientEmails: ['ada@example.com', ...others],
		});
	});

	test.each(['toString', 'mail'])('sends nothing if an item has no field "%s"', async (field) => {
		const parameters = { recipient: `={{ $json.${field} }}` };
		const { error } = await sync(emailsOf(0, 1), { parameters });
		expect(error?.message).toBe(`No item has a field "${field}", which Recipient uses`);
		expect(error?.description).toContain('The first item has the fields email.');
		expect(error?.description).toContain('switch on Include Empty Cells in Extract from File');
		expect(service.requests).toEqual([]);
	});
});

test.each(['={{ $json["E-mail"] }}', '={{ $json.email }}', '={{ $json.email ?? undefined }}'])(
	'with %s, an item without the field is invalid and holds all removals; null names nobody',
	async (recipient) => {
		members(0, 1);
		const [email = ''] = emailsOf(0);
		const items = [{ 'E-mail': email, email }, { name: 'Ada' }].map((json) => ({ json }));
		const given = { ...MIRROR, parameters: { recipient }, items };
		const { json } = await sync([], { ...given, ...CONTINUE });
		expect(json.slice(1)).toMatchObject([
			{ status: 'invalid', reason: expect.stringContaining('Include Empty Cells') },
			{
				status: 'failed',
				reason: expect.stringContaining('Not removed: some items match no person (1: item 1)'),
			},
		]);
		const blank = [{ json: { email, 'E-mail': email } }, { json: { email: null, 'E-mail': null } }];
		if (!recipient.includes('undefined')) await sync([], { ...given, items: blank });
		expect(memberIndexes()).toEqual(recipient.includes('undefined') ? [0, 1] : [0]);
	},
);

test('a blank recipient shows the first fields of its item; without a value in any item, nothing is sent', async () => {
	const items = [
		{ first: 'Ada', last: 'Lovelace', room: '', age: 36 },
		{ email: emailsOf(0)[0] ?? '' },
	];
	const parameters = { recipient: '={{ $json.email ?? "" }}' };
	const { json } = await sync([], { parameters, items: items.map((one) => ({ json: one })) });
	expect(json[0]?.reason).toBe('No address: the item with first Ada, last Lovelace, age 36');
	service.emulator.clearRequests();
	const { error } = await sync(emailsOf(0, 1), {
		parameters: { recipient: '={{ $json["mail"] }}' },
	});
	expect(error?.message).toBe('Recipient has no value in any item');
	expect(service.requests).toEqual([]);
});

const NO_IDS = [
	...['null', 'undefined', 'NaN', '#N/A', 0, '0', true, false, 2 ** 53 + 2, '[object Object]'],
	...[1e21, '1.23457E+16', '6,5e+23', 'a b', 'ada@example.com', 'a,b', 'a;b', '"a"', 1.5, [7]],
];
test.each(NO_IDS)('%p is no ID and holds all removals', async (value) => {
	members(0, 1);
	const given = [value, `\u200B${idsOf(0)[0]}`];
	const options = { ...MIRROR, ...CONTINUE };
	const { json } = await syncIds(given, options);
	expect(json.map(({ status }) => status)).toEqual(['invalid', 'alreadyMember', 'failed']);
	expect(memberIndexes()).toEqual([0, 1]);
});

describe('settings', () => {
	test.each([
		['Mode', { mode: '={{ $json.mode }}' }],
		['Identify By', { identifyBy: '={{ $json.by }}' }],
		['Dry Run', { dryRun: '={{ $json.dry }}' }],
		['Maximum Removal (%)', { mode: 'mirror', maxRemovalPercent: '={{ $json.size }}' }],
		['Options', { options: { chunkSize: '={{ $json.size }}' } }],
	])('sends nothing if %s differs between items', async (label, parameters) => {
		const items = [
			{ json: { email: 'a@b.example', mode: 'add', by: 'email', dry: true, size: 1 } },
			{ json: { email: 'c@d.example', mode: 'remove', by: 'id', dry: false, size: 2 } },
		];
		const { error } = await sync([], { parameters, items });
		expect(error?.message).toContain(`${label} differs between the input items`);
		expect(error?.message).toContain('item 1');
		expect(error?.description).toContain('Only Recipient and Recipient Group may differ');
		expect(service.requests).toEqual([]);
	});

	const chunkSize = 'Recipients per Request must be a whole number of 1 or more';
	const concurrency = 'Requests at Once must be a whole number of 1 or more';
	const maxRemoval = 'Maximum Removal (%) must be a number from 0 to 100';

	test.each([
		[{ options: { chunkSize: 0 } }, chunkSize],
		[{ options: { chunkSize: '' } }, chunkSize],
		[{ options: { concurrency: 1.5 } }, concurrency],
		[{ options: { output: 'all' } }, 'Output must be perRecipient or summary: it is "all"'],
		[{ options: { output: '={{ undefined }}' } }, 'perRecipient or summary: it is empty'],
		[{ options: { removeDespiteInvalid: '={{ null }}' } }, 'Remove Despite Invalid must be on'],
		[{ maxRemovalPercent: 120 }, maxRemoval],
		[{ maxRemovalPercent: -1 }, maxRemoval],
		[{ maxRemovalPercent: '' }, maxRemoval],
		[{ identifyBy: 'Email' }, 'Identify By must be "email", not "Email"'],
		[{ dryRun: '={{ "" }}' }, 'Dry Run must be on or off'],
		[{ recipientGroupId: locator('={{ "" }}') }, 'Recipient Group is missing'],
	])('sends nothing with %j', async (parameters, message) => {
		const { error } = await sync(emailsOf(0), { mode: 'mirror', parameters });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test.each([true, 'YES', 1])('changes nothing if Dry Run evaluates to %j', async (dry) => {
		members(1);
		const [email = ''] = emailsOf(0);
		const items = [{ json: { email, dry } }];
		const { json } = await sync([], { parameters: { dryRun: '={{ $json.dry }}' }, items });
		const added = { status: 'added', reason: 'Would be added', dryRun: true };
		expect(json).toEqual([{ recipient: email, ...added, ...groupFields() }]);
		expect(target().version).toBe(0);
	});
});

const person = "o'brien@people.example";
const unknown = 'Recipient not found';

test.each<[status: string | undefined, unknown[]]>([
	['unknown', [{ email: person.toUpperCase(), message: unknown }]],
	['unknown', [{ value: ` ${person} `, error: 'unknown' }]],
	['unknown', [{ recipient: { email: person }, reason: 'not found' }]],
	['unknown', [{ message: `No such recipient (<${person}>).` }]],
	['unknown', [{ id: person, message: `${unknown} in our directory (grace@people.example)` }]],
	['failed', [{ id: person, message: `${unknown}. Ask grace@people.example` }]],
	['failed', [{ email: person, message: 'License not found' }]],
	['failed', [{ email: person, message: 'Locked' }]],
	['failed', [{ email: person, code: 'NO_LICENSE', message: unknown }]],
	['failed', [{ email: person, code: 404, known: false, hint: null }]],
	['unknown', [{ message: `${person}: not found` }]],
	[undefined, [{ index: 0, message: unknown }]],
	[undefined, [{ message: `brien@people.example: ${unknown}` }]],
	[undefined, [{ message: `${person} or grace@people.example: ${unknown}` }]],
	[undefined, [person, person].map((email) => ({ email, message: unknown }))],
	[undefined, [{ email: 'ada@people.example', message: `${unknown}: ${person}` }]],
	[undefined, [null, 7]],
])('a recipient is %s after the error log %j', async (status, errorLog) => {
	members();
	const data = { successCount: 2, errorCount: errorLog.length, errorLog };
	const body = { success: true, data };
	service.emulator.faults.add({ match: { path: MEMBERS }, action: { status: 200, body } });
	const given = [person, 'grace@people.example', ...emailsOf(0, 1)];
	const { json } = await sync(given, CONTINUE);
	// An error log that names nobody starts a search, which finds two unknown recipients.
	expect(json[0]?.status).toBe(status ?? 'unknown');
	expect(json[0]?.reason).not.toBe(person);
	const isUnverified = /^Unverified: .* a member now/.test(String(json[1]?.reason));
	expect([json[1]?.status === 'unknown', isUnverified]).toEqual([!status, Boolean(status)]);
});

test('reads the group only once after a search, because the counts of repeated requests say nothing', async () => {
	members();
	Object.assign(service.emulator.switches, { unknownEmails: 'errorLog', errorLogShape: 'opaque' });
	const { json } = await sync([person, ...emailsOf(0, 1)], CONTINUE);
	expect(json.map(({ status }) => status)).toEqual(['unknown', 'added', 'added']);
	const path = `/int/v1/recipientGroup/${target()._id}`;
	expect(service.emulator.requestCount('GET', path)).toBe(2);
});

test('an unknown address is unknown, although all others are members', async () => {
	members(...range(0, 14));
	const { json } = await sync([...emailsOf(...range(0, 13)), person], CONTINUE);
	expect(json.at(-1)?.status).toBe('unknown');
});

type FaultSpec = { path?: string; skip?: number; times?: number; action: FaultAction };

test.each<[what: string, mode: string, FaultSpec, people: number[], status: string, RegExp]>([
	[
		'an address that no temporary group took is sent',
		'remove',
		// The second chunk into the first temporary group.
		{ path: MEMBERS, skip: 1, times: 6, action: { status: 503, headers: { 'retry-after': '0' } } },
		range(0, 14),
		...(['removed', /^Removed$/] as const),
	],
	[
		'a count of all, which the read before contradicts, proves nothing',
		'add',
		{ action: { status: 200, body: { success: true, data: { successCount: 1, errorCount: 0 } } } },
		[13],
		...(['alreadyMember', /^Unverified/] as const),
	],
	[
		'a lost addition that no look-up proves is failed',
		'add',
		{ path: MEMBERS, times: Infinity, action: { status: 503, after: true } },
		[0],
		...(['failed', /The change may have been carried out/] as const),
	],
])('%s', async (_what, mode, { path, ...fault }, people, status, reason) => {
	members(13);
	const match = {
		method: 'POST',
		path: path ?? `/int/v1/recipientGroup/${target()._id}/recipients`,
	};
	service.emulator.faults.add({ match, ...fault });
	const options = { chunkSize: 13, concurrency: 1 };
	const { json } = await sync(emailsOf(...people), { mode, options, ...CONTINUE });
	expect(json.at(-1)).toMatchObject({ status, reason: expect.stringMatching(reason) });
	expect(memberIndexes()).toEqual(mode === 'remove' ? [] : [...new Set([...people, 13])]);
});

test('Mirror does not remove a member whose ID an item writes in another case, even if the service accepts neither', async () => {
	members(0, 1, 2);
	Object.assign(service.emulator.switches, { unknownIds: 'ignore' });
	const given = [...idsOf(0).map((id) => id.toUpperCase()), ...idsOf(1)];
	const options = { removeDespiteInvalid: true };
	const { json } = await syncIds(given, {
		...{ ...MIRROR, options, ...CONTINUE },
	});
	expect(json.map(({ status }) => status)).toEqual(['failed', 'alreadyMember', 'removed']);
	expect(memberIndexes()).toEqual([0, 1]);
});
