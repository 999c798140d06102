import type { RecordedRequest } from '../../emulator/emulator.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { locator } from '../kit/engine.mts';
import { groupSync, MEMBERS, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 3, people: 40, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, groupFields, kinds, memberIndexes, members, sync, target } = groupSync(service);

const continueOnError = { onError: 'continueRegularOutput' } as const;

/** Returns the number of recipients in a request. */
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

	test('sends no blank, malformed or repeated values', async () => {
		members();
		const [email = ''] = emailsOf(0);
		const result = await sync(['', 'not an address', emailsOf(1, 2), email, email.toUpperCase()]);
		expect(statuses(result)).toEqual(['invalid', 'invalid', 'invalid', 'added', 'duplicate']);
		expect(result.json[4]).toEqual({
			recipient: email.toUpperCase(),
			status: 'duplicate',
			reason: 'The same recipient as in item 3',
			...groupFields(),
		});
		expect(service.requests.flatMap(({ body }) => body ?? [])).toEqual([
			{ recipientEmails: [email] },
		]);
	});

	test('sends nothing if no item has a valid recipient', async () => {
		const { error } = await sync(['', 'nobody']);
		expect(error?.message).toBe('No input item has a valid recipient');
		expect(error?.description).toContain('The first item has the fields email.');
		const result = await sync(['', 'nobody'], { mode: 'remove', ...continueOnError });
		expect(statuses(result)).toEqual(['invalid', 'invalid', null]);
		expect(service.requests).toEqual([]);
	});

	test.each([
		'={{ $json.email }}',
		'={{$json.email}}',
		'={{ $json["email"] }}',
		'={{ $json.email ?? undefined }}',
		'={{ $input.item.json.email }}',
	])('reads every kind of value from the field that the expression %s names', async (recipient) => {
		members();
		const [email = ''] = emailsOf(0);
		const expected: Array<[given: unknown, recipient: string, status: string]> = [
			[email, email, 'added'],
			['', '', 'invalid'],
			[null, '', 'invalid'],
			[undefined, '', 'invalid'],
			[7, '7', 'invalid'],
			[true, 'true', 'invalid'],
			[[email], JSON.stringify([email]), 'invalid'],
			[{ email }, JSON.stringify({ email }), 'invalid'],
			[`=${email}`, `=${email}`, 'unknown'],
			['{{ 1 }}', '{{ 1 }}', 'invalid'],
		];
		const values = expected.map(([given]) => given);
		const { json } = await sync(values, { parameters: { recipient }, dryRun: true });
		expect(json.map((item, index) => [values[index], item.recipient, item.status])).toEqual(
			expected,
		);
	});

	test.each(['toString', 'mail'])('sends nothing if an item has no field "%s"', async (field) => {
		const parameters = { recipient: `={{ $json.${field} }}` };
		const { error } = await sync(emailsOf(0, 1), { parameters });
		expect(error?.message).toBe(`Item 0 has no field "${field}", which Recipient uses`);
		expect(error?.description).toContain('The first item has the fields email.');
		expect(service.requests).toEqual([]);
	});
});

describe('settings', () => {
	test.each([
		['Mode', { mode: '={{ $json.mode }}' }],
		['Identify By', { identifyBy: '={{ $json.by }}' }],
		['Dry Run', { dryRun: '={{ $json.dry }}' }],
		['Options', { options: { chunkSize: '={{ $json.size }}' } }],
	])('sends nothing if %s differs between items', async (label, parameters) => {
		const items = [
			{ json: { email: 'a@b.example', mode: 'add', by: 'email', dry: true, size: 1 } },
			{ json: { email: 'c@d.example', mode: 'remove', by: 'id', dry: false, size: 2 } },
		];
		const { error } = await sync([], { parameters, items });
		expect(error?.message).toContain(`${label} differs between the input items`);
		expect(error?.message).toContain('item 1');
		expect(service.requests).toEqual([]);
	});

	const chunkSize = 'Recipients per Request must be a whole number of 1 or more';
	const concurrency = 'Requests at Once must be a whole number of 1 or more';
	const maxRemoval = 'Maximum Removal (%) must be a number from 0 to 100';

	test.each([
		[{ options: { chunkSize: 0 } }, chunkSize],
		[{ options: { chunkSize: '' } }, chunkSize],
		[{ options: { concurrency: 1.5 } }, concurrency],
		[{ options: { concurrency: 'x' } }, concurrency],
		[{ options: { output: 'all' } }, 'Output must be perRecipient or summary: it is "all"'],
		[{ maxRemovalPercent: 120 }, maxRemoval],
		[{ maxRemovalPercent: -1 }, maxRemoval],
		[{ maxRemovalPercent: '' }, maxRemoval],
		[{ dryRun: '={{ "" }}' }, 'Dry Run must be on or off'],
		[{ dryRun: '={{ "perhaps" }}' }, 'Dry Run must be on or off'],
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
		const dryRunItem = {
			recipient: email,
			status: 'added',
			reason: 'Would be added',
			dryRun: true,
		};
		expect(json).toEqual([{ ...dryRunItem, ...groupFields() }]);
		expect(target().version).toBe(0);
	});

	test('fails with 404 if the group does not exist', async () => {
		const { error } = await sync(emailsOf(0), {
			parameters: { recipientGroupId: locator('64f1c0ffee0000000000abcd') },
		});
		expect(error).toMatchObject({ httpCode: '404' });
		expect(error?.description).toContain('Summary: failed 1.');
	});
});

describe.each(kinds)('by %s', (_by, run, values, unknownPerson) => {
	test('reports unknown recipients as failed if the service silently ignores them, and adds the others', async () => {
		Object.assign(service.emulator.switches, { unknownEmails: 'ignore', unknownIds: 'ignore' });
		members(2, 5);
		const given = [unknownPerson, ...values(1, 2, 3)];
		for (const dryRun of [true, false]) {
			const added = await run(given, { dryRun, ...continueOnError });
			expect(statuses(added)).toEqual(['failed', 'added', 'alreadyMember', 'added']);
			expect(memberIndexes()).toEqual(dryRun ? [2, 5] : [1, 2, 3, 5]);
		}
		const removed = await run(given, { mode: 'remove' });
		expect(statuses(removed)).toEqual(['notMember', 'removed', 'removed', 'removed']);
		expect(memberIndexes()).toEqual([5]);
	});

	test('does not report people who were already members as added if the service shows only part of the group', async () => {
		members(0, 1, 2, 3);
		service.emulator.switches.leadsTruncated = 2;
		const result = await run(values(0, 3, 4, 5));
		expect(memberIndexes()).toEqual(range(0, 6));
		expect(statuses(result).slice(0, 2)).toEqual(['alreadyMember', 'alreadyMember']);
	});
});
