import { channelSync } from '../kit/channelSync.mts';
import { locator } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 6, people: 30, groups: 0, campaigns: 0, channels: 2 });

const { channel, emails, fill, ids, members, person, rename, sent, sync } = channelSync(service);

describe.each([
	['email', emails],
	['id', ids],
] as const)('by %s', (by, values) => {
	test('Mirror adds, reads, removes and reads again, in chunks', async () => {
		fill(0, ...range(0, 10));
		const options = { chunkSize: 4 };
		const { items, error } = await sync('mirror', values(...range(2, 15)), { by, options });
		expect(error).toBeUndefined();
		expect(members()).toEqual(range(2, 15));
		expect(sent()).toEqual(['recipient', 'recipient', 'remove']);
		expect(items.at(0)?.json).toEqual({
			...{ recipient: values(2)[0], status: 'alreadyMember', reason: 'Already a member' },
			...{ channelName: channel().name, channelId: channel()._id },
		});
		const removed = items.slice(13).map(({ json }) => [json.recipient, json.status]);
		expect(removed).toEqual(values(0, 1).map((one) => [one, 'removed']));
		expect(items[12]?.json.status).toBe('added');
	});

	test('Add and Remove change only whom items name, and report whose membership changed', async () => {
		fill(0, 0, 1);
		const added = await sync('add', values(1, 2), { by });
		expect([statuses(added), members()]).toEqual([
			['alreadyMember', 'added'],
			[0, 1, 2],
		]);
		const removed = await sync('remove', values(1, 3), { by });
		expect([statuses(removed), members()]).toEqual([
			['removed', 'notMember'],
			[0, 2],
		]);
	});

	test('a dry run changes nothing and predicts the changes', async () => {
		fill(0, 0, 1, 2);
		const result = await sync('mirror', values(1, 2, 3), { by, parameters: { dryRun: true } });
		expect(statuses(result)).toEqual(['alreadyMember', 'alreadyMember', 'added', 'removed']);
		expect(result.json.every(({ dryRun }) => dryRun === true)).toBe(true);
		expect([members(), sent()]).toEqual([[0, 1, 2], []]);
	});

	test('whoever is refused alone twice, while others are accepted, is unknown and holds nothing', async () => {
		fill(0, ...range(0, 4));
		const nobody = by === 'email' ? 'nobody@people.example' : '64f1c0ffee0000000000abcd';
		for (const given of [values(1, 2, 3, 4), values(1, 2, 3)]) {
			const result = await sync('mirror', [nobody, ...given], { by });
			expect(statuses(result)[0]).toBe('unknown');
			expect(statuses(result).slice(-1)).toEqual(['removed']);
			expect(members()).toEqual(given.map((one) => values(...range(0, 9)).indexOf(one)));
		}
	});

	test('nobody is unknown, and nobody is removed, if the service refuses everybody', async () => {
		fill(0, ...range(0, 4));
		service.emulator.faults.on('POST /*', { refuse: 'Channel is closed' }, { times: Infinity });
		const result = await sync('mirror', values(1, 2, 3, 5, 6), { by });
		expect(statuses(result).slice(3)).toEqual(['failed', 'failed', 'failed']);
		expect(result.json.at(-1)?.reason).toMatch(/^Not removed: .*Channel is closed/);
		expect(sent().length).toBeLessThan(5);
	});
});

test('a web page of a proxy is no refusal, so its row is failed and holds all removals', async () => {
	fill(0, 0, 1, 2);
	const action = { status: 400, body: '<html>Blocked</html>' };
	for (const skip of [0, 1])
		service.emulator.faults.on('POST /channel/*/recipient', action, { skip });
	const options = { removeDespiteInvalid: true };
	const { json } = await sync('mirror', emails(3, 1, 2), { options });
	expect(json[0]).toMatchObject({
		status: 'failed',
		reason: expect.stringMatching(/^There is no/),
	});
	expect(members()).toEqual([0, 1, 2]);
});

test.each([1, 2])('a channel of %i keeps everybody if nobody would be left in it', async (size) => {
	fill(0, ...range(0, size));
	service.emulator.switches.unknownChannelRecipients = 'ignore';
	const parameters = { maxRemovalPercent: 100 };
	const options = { removeDespiteInvalid: true };
	const { json } = await sync('mirror', ['nobody@people.example'], { parameters, options });
	expect(json.at(-1)?.reason).toBe('Not removed: nobody would be left in the channel');
	expect(members()).toEqual(range(0, size));
});

test('with a list that shows the address of an addition, an alias is a member', async () => {
	service.emulator.switches.channelAddressShown = 'asAdded';
	fill(0, 0, 1);
	const alias = rename(3);
	expect(statuses(await sync('mirror', [alias, ...emails(1)]))).toEqual([
		...['added', 'alreadyMember', 'removed'],
	]);
});

const ASKED =
	/^Unverified: the service was asked to remove it; the list does not show this address$/;

test.each([true, false])('people without an address stay (shown: %p)', async (isListed) => {
	service.emulator.switches.channelListsWithoutEmail = isListed;
	fill(0, 0, 1, 2, 3);
	const hidden = person(3).email;
	Object.assign(person(3), { email: '' });
	const { json, hints } = await sync('mirror', emails(1, 2));
	expect(json.at(-1)).toMatchObject({ recipient: emails(0)[0], status: 'removed' });
	expect(members()).toEqual([1, 2, 3]);
	const note = 'People whose address the channel does not show stay in it: 1.';
	expect(hints.map(({ message }) => message)).toEqual(isListed ? [note] : []);
	const { json: out } = await sync('remove', [hidden, ...emails(1)]);
	expect(out[0]).toMatchObject({ status: 'notMember', reason: expect.stringMatching(ASKED) });
	expect(members()).toEqual([2]);
});

test.each([undefined, '', 7])('nobody whose record ID is %j is removed', async (_id) => {
	const data = [{ ...person(0), _id }, person(1)];
	const action = { status: 200, body: { success: true, data, total: 3 } };
	service.emulator.faults.on('GET /channel/*/recipient', action, { times: Infinity });
	await sync('remove', emails(0, 1));
	const bodies = service.requests.flatMap(({ body }) => body ?? []);
	expect(bodies).toEqual([{ recipients: ids(1) }, { recipients: emails(0) }]);
});

test.each([
	['an unreadable row', () => [...emails(1, 2, 3), 'anna at example'], [0, 1, 2, 3]],
	['a blank row', () => [...emails(1, 2, 3), ''], [1, 2, 3]],
	['too many removals', () => emails(3), [0, 1, 2, 3]],
	['no valid row', () => [''], [0, 1, 2, 3]],
])('Mirror with %s', async (_what, given, left) => {
	fill(0, 0, 1, 2, 3);
	await sync('mirror', given());
	expect(members()).toEqual(left);
});

test('a capped list: Mirror and a dry run change nothing, Add adds, and Remove removes whom it shows', async () => {
	service.emulator.switches.listedAtMost = { channelRecipient: 3 };
	fill(0, 0, 1, 2, 3);
	const mirrored = await sync('mirror', emails(0, 1, 5), {}, 'stopWorkflow');
	expect(mirrored.error?.message).toBe('The service shows only 3 of 4 members of the channel');
	expect(sent()).toEqual([]);
	const removed = await sync('remove', emails(0, 3));
	expect(statuses(removed)).toEqual(['removed', 'notMember']);
	expect(removed.json[1]?.reason).toMatch(ASKED);
	expect(statuses(await sync('add', emails(0, 1)))[1]).toBe('alreadyMember');
	expect(members()).toEqual([0, 1, 2]);
	fill(0, 0, 1, 2, 3, 4);
	const { json } = await sync('remove', emails(1));
	expect(json[0]?.reason).toMatch('could not be read again. The change may have been carried out');
});

test.each([0, 1])('a list that is late by %d reads', async (lag) => {
	service.emulator.switches.channelListLag = lag;
	fill(0, 0, 1, 2);
	const result = await sync('mirror', emails(1, 2, 3));
	expect(statuses(result)).toEqual(['alreadyMember', 'alreadyMember', 'added', 'removed']);
	expect(members()).toEqual([1, 2, 3]);
});

test('a person moves: in the new channel before they leave the old one', async () => {
	fill(0, 0, 1, 2);
	fill(1, 10);
	const [one, two] = [channel(0).name, channel(1).name];
	const rows = emails(0, 1, 2, 10).map((email, index) => [index < 2 ? one : two, email]);
	const result = await sync('mirror', rows);
	expect(statuses(result)).toEqual([
		...['alreadyMember', 'alreadyMember', 'added', 'alreadyMember', 'removed'],
	]);
	expect(sent()).toEqual(['recipient', 'remove']);
	expect([members(0), members(1)].map(String)).toEqual(['0,1', '2,10']);
	const additions = `POST /channel/${channel(1)._id}/recipient`;
	service.emulator.faults.on(additions, { status: 503 }, { times: Infinity });
	const [first = '', ...others] = emails(0, 1, 2, 10);
	await sync('mirror', [[one, first], ...others.map((email) => [two, email])]);
	expect([members(0), members(1)].map(String)).toEqual(['0,1', '2,10']);
});

test('a channel that does not exist is not created, and only its items fail', async () => {
	fill(0, 0, 1);
	const count = service.emulator.state.channels.size;
	const result = await sync('mirror', [['Nowhere', ...emails(1)], ...emails(0)]);
	expect(statuses(result)).toEqual(['failed', 'alreadyMember', 'failed']);
	expect(result.json[0]?.reason).toBe('There is no channel called "Nowhere"');
	expect(result.json[2]?.reason).toMatch('an item lists this person for the channel "Nowhere"');
	expect(service.emulator.state.channels.size).toBe(count);
});

test('a removal that the service accepts and the list contradicts is failed', async () => {
	fill(0, 0, 1, 2, 3);
	const remove = '/channel/*/recipient/remove';
	service.emulator.faults.on(remove, { refuse: 'Locked' }, { times: Infinity });
	const { json } = await sync('mirror', emails(1, 2, 3));
	expect(json.at(-1)).toMatchObject({ status: 'failed', reason: 'Not removed: Locked' });
	expect(members()).toEqual([0, 1, 2, 3]);
});

describe('blank rows, statuses and runs, as in groups', () => {
	const [one, two] = ['News', 'Offers'];
	beforeEach(() => {
		for (const [index, name] of [one, two].entries()) Object.assign(channel(index), { name });
	});
	const rowsOf = (name: string, ...values: string[]) => values.map((value) => [name, value]);

	test('a channel without members that only blank rows name is green; with members, it is red alone', async () => {
		const given = [...rowsOf(one, ...emails(1, 2)), ...rowsOf(two, '-', 'tbd')];
		fill(0, 0, 1, 2);
		fill(1);
		const green = await sync('mirror', given, {}, 'stopWorkflow');
		expect([green.error, members(0)]).toEqual([undefined, [1, 2]]);
		fill(0, 0, 1, 2);
		fill(1, 10);
		const red = await sync('mirror', given, {}, 'stopWorkflow');
		expect(red.error?.message).toBe('1 of 2 channels could not be synced');
		expect([members(0), members(1)]).toEqual([[1, 2], [10]]);
		const { json } = await sync('mirror', given);
		expect(json).toHaveLength(4);
		expect(json[2]).toMatchObject({
			status: 'invalid',
			error: 'There is no valid recipient to mirror',
		});
	});

	test.each([
		['the list cannot be read', one, 'failed'],
		['the channel is blank', '', 'invalid'],
		['the channel is "-"', '-', 'failed'],
	])('with On Error: Continue, every item has a status if %s', async (what, name, status) => {
		if (what.startsWith('the list'))
			service.emulator.faults.on('GET /channel', { status: 500 }, { times: Infinity });
		const given = rowsOf(name, ...emails(0, 1));
		const { json } = await sync('mirror', given, { parameters: { dryRun: true } });
		expect(json).toMatchObject(
			emails(0, 1).map((recipient) => ({ recipient, status, dryRun: true })),
		);
		expect((await sync('mirror', given, {}, 'stopWorkflow')).error).toBeDefined();
	});

	test('a second Mirror in one execution with other people fails before it changes anything', async () => {
		fill(0, 0, 1, 2, 3);
		const toItems = (...people: number[]) =>
			emails(...people).map((email) => ({ json: { email } }));
		const run = async (mode: string, first: number[], second: number[]) =>
			await service.run(
				'channelRecipient',
				'sync',
				{
					...{ channelId: locator(channel()._id, 'id'), identifyBy: 'email', mode },
					...{ recipient: '={{ $json.email }}', maxRemovalPercent: 100 },
				},
				{ items: toItems(...first), moreRuns: [toItems(...second)] },
			);
		const { error } = await run('mirror', [0, 1, 2], [3, 4]);
		expect(error?.message).toMatch(/mirrored the channel "News" with other people.*Merge first$/);
		expect(members()).toEqual([0, 1, 2]);
		expect((await run('mirror', [0, 1], [1, 0])).error).toBeUndefined();
		expect((await run('add', [5], [6])).error).toBeUndefined();
		expect(members()).toEqual([0, 1, 5, 6]);
	});
});
