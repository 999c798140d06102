import { channelSync } from '../kit/channelSync.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 6, people: 30, groups: 0, campaigns: 0, channels: 2 });

const { channel, emails, fill, ids, members, person, rename, sent, showList, sync } =
	channelSync(service);

describe.each([
	['email', emails],
	['id', ids],
] as const)('by %s', (by, values) => {
	const nobody = by === 'email' ? 'nobody@people.example' : '64f1c0ffee0000000000abcd';

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

	test('whoever is refused alone twice, while others are accepted, is unknown and holds nothing', async () => {
		fill(0, ...range(0, 4));
		for (const given of [values(1, 2, 3, 4), values(1, 2, 3)]) {
			const result = await sync('mirror', [nobody, ...given], { by });
			expect(statuses(result)[0]).toBe('unknown');
			expect(statuses(result).slice(-1)).toEqual(['removed']);
			expect(result.hints[0]?.message).toMatch('although the service does not know some items: 1.');
			expect(members()).toEqual(given.map((one) => values(...range(0, 9)).indexOf(one)));
		}
	});

	test.each([
		[0, 'failed', 'Channel is closed'],
		[6, 'added', 'Invalid parameters'],
	])(
		'nobody is unknown, and nobody is removed, if the service refuses everybody after %i changes',
		async (skip, status, reason) => {
			fill(0, ...range(0, 4));
			const fault = { skip, times: Infinity };
			service.emulator.faults.on('POST /*', { refuse: 'Channel is closed' }, fault);
			const result = await sync('mirror', [...values(1, 2, 3), nobody, ...values(5)], { by });
			expect(statuses(result).slice(3)).toEqual(['failed', status, 'failed']);
			expect(result.json.at(-1)?.reason).toMatch(new RegExp(`^Not removed: .*${reason}`));
			expect(sent().length).toBeLessThan(5 + skip);
		},
	);
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

test.each([
	[1, 0],
	[2, 0],
	[2, 1],
])('a channel of %i keeps everybody if nobody would be left (%i leave)', async (size, gone) => {
	fill(0, ...range(0, size));
	service.emulator.onRequest(({ method }) => {
		if (method === 'POST') fill(0, ...range(gone, size));
	});
	service.emulator.switches.unknownChannelRecipients = 'ignore';
	const parameters = { maxRemovalPercent: 100 };
	const options = { removeDespiteInvalid: true };
	const { json } = await sync('mirror', ['nobody@people.example'], { parameters, options });
	expect(json.at(-1)?.reason).toBe('Not removed: nobody would be left in the channel');
	expect(members()).toEqual(range(gone, size));
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
	fill(0, 0, 1, 2, 3, 9);
	const hidden = person(3).email;
	Object.assign(person(3), { email: '' });
	// A shown person counts for the limit, with or without an address.
	const parameters = { maxRemovalPercent: isListed ? 40 : 50 };
	const { json, hints } = await sync('mirror', emails(1, 2), { parameters });
	expect(json.slice(2)).toMatchObject(
		emails(0, 9).map((recipient) => ({ recipient, status: 'removed' })),
	);
	expect(members()).toEqual([1, 2, 3]);
	const note = 'People whose address the channel does not show stay in it: 1.';
	expect(hints.map(({ message }) => message)).toEqual(isListed ? [note] : []);
	const { json: out } = await sync('remove', [hidden, ...emails(1)]);
	expect(out[0]).toMatchObject({ status: 'notMember', reason: expect.stringMatching(ASKED) });
	expect(members()).toEqual([2]);
});

test.each([undefined, '', 7])('nobody whose record ID is %j is removed', async (_id) => {
	showList({ data: [{ ...person(0), _id }, person(1)], total: 3 });
	await sync('remove', emails(0, 1));
	const bodies = service.requests.flatMap(({ body }) => body ?? []);
	expect(bodies).toEqual([{ recipients: ids(1) }, { recipients: emails(0) }]);
});

test.each([
	['an object without a record ID', { email: 'ada@people.example' }],
	['no object', null],
])('a row that is %s makes the list incomplete, and Mirror changes nothing', async (_what, row) => {
	fill(0, 0, 1);
	for (const data of [[row, person(1)], []]) showList({ data }, 1);
	const { json } = await sync('mirror', emails(1));
	expect(json[0]?.reason).toBe('The service shows only 1 of 2 members of the channel');
});

test.each([
	['a list without a total', [0, 1]],
	['no list and a total of 0', []],
])('%s is a complete list', async (_what, shown) => {
	fill(0, ...shown);
	const data = shown.map(person);
	const pages = data.length > 0 ? [{ data }, { data: [] }] : [{ total: 0 }];
	for (const page of pages) showList(page, 1);
	await sync('mirror', emails(1, 2));
	expect(members()).toEqual([1, 2]);
});

test('two accounts with one address are removed together', async () => {
	fill(0, 0, 1, 2);
	Object.assign(person(1), { email: person(0).email });
	// They are two of three people.
	await sync('mirror', emails(2));
	expect(members()).toEqual([0, 1, 2]);
	await sync('remove', emails(0));
	expect(members()).toEqual([2]);
});

test('reads the name of a channel by ID, once', async () => {
	fill(0, 0);
	const { _id: id, name } = channel();
	const parameters = { channelId: '={{ $json.channel }}' };
	const { json } = await sync('add', [[id, ...emails(1)]], { parameters });
	expect(json[0]).toMatchObject({ status: 'added', channelName: name });
	expect(service.requests.filter(({ path }) => path.endsWith(`/channel/${id}`))).toHaveLength(1);
});

test('a list that writes an address in another way shows the same member', async () => {
	const { email, ...shown } = person(0);
	showList({ data: [{ ...shown, email: `Ada <${email.toUpperCase()}>` }], total: 1 });
	const { json } = await sync('add', [email]);
	expect(json[0]?.reason).toBe('Already a member');
	expect(sent()).toEqual([]);
});

test('if the list is incomplete after the additions, nobody is removed', async () => {
	fill(0, 0, 1);
	service.emulator.onRequest(({ method }) => {
		if (method === 'POST') showList({ data: [0, 1, 5, 6].map(person), total: 5 });
	});
	const { json, hints } = await sync('mirror', emails(1, 5));
	expect(hints.map(({ message }) => message)).toEqual([
		'People who joined the channel during the sync stay in it: 1.',
		expect.stringContaining('Nobody was removed from the channel, because after the additions'),
	]);
	expect(json.at(-1)?.reason).toMatch('Not removed: after the additions, the service showed');
	expect(members()).toEqual([0, 1, 5]);
});

test.each([
	[
		'after the additions',
		'recipient',
		'Not removed: after the additions, the service showed no members',
	],
	['after the removals', 'remove', 'the members could not be read again'],
])('if the list cannot be read %s, nobody is reported as removed', async (_when, end, reason) => {
	const { emulator } = service;
	fill(0, 0, 1);
	emulator.onRequest(({ method, path }) => {
		if (method === 'POST' && path.endsWith(end))
			emulator.faults.on('GET /channel/*/recipient', { status: 500 }, { times: Infinity });
	});
	const parameters = { maxRemovalPercent: 100 };
	const options = { removeDespiteInvalid: true };
	const { json } = await sync('mirror', emails(1, 5), { parameters, options });
	expect(json.at(-1)?.reason).toMatch(reason);
	expect(members()).toEqual(end === 'remove' ? [1, 5] : [0, 1, 5]);
});

test('a canceled sync sends no further change', async () => {
	fill(0, 0, 1);
	let cancel = () => {};
	service.emulator.onRequest(({ method }) => void (method === 'POST' && cancel()));
	const onStart = (stop: () => void) => void (cancel = stop);
	await sync('mirror', emails(1, 2), { onStart });
	expect(members()).toEqual([0, 1, 2]);
});

test('a response without a list does not say that the channel is empty', async () => {
	fill(0, 0, 1);
	showList({});
	await sync('remove', ids(0), { by: 'id' });
	expect(members()).toEqual([1]);
});

test('a capped list: Mirror and a dry run change nothing, Add adds, and Remove removes whom it shows', async () => {
	service.emulator.switches.listedAtMost = { channelRecipient: 3 };
	fill(0, 0, 1, 2, 3);
	const mirrored = await sync('mirror', emails(0, 1, 5), {}, 'stopWorkflow');
	expect(mirrored.error?.message).toBe('The service shows only 3 of 4 members of the channel');
	const dry = await sync('remove', emails(0), { parameters: { dryRun: true } });
	expect(dry.json[0]?.reason).toBe(mirrored.error?.message);
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

test('a list that is late by a read', async () => {
	service.emulator.switches.channelListLag = 1;
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
