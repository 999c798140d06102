import { useFakeSleep } from '../kit/fakeSleep.mts';
import { groupSync, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 5, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, groupFields, groupNames, idsOf, kinds, memberIndexes, members, sync, target } =
	groupSync(service);

const HOUR_MS = 60 * 60 * 1000;

const syncGroups = () => groupNames().filter((name) => name.startsWith('n8n sync'));

const nameAt = (createdAt: number, letters = 'abcdefgh') =>
	`n8n sync STAGING ${new Date(createdAt).toISOString().slice(0, 16).replace(/[-:]/g, '')}Z ${letters}`;

describe.each(kinds)('mirror by %s', (_by, run, values) => {
	test('adds people, reads the group again, then removes people, and identifies all of them by ID', async () => {
		members(...range(0, 10));
		const options = { chunkSize: 4 };
		const result = await run(values(...range(1, 21)), { mode: 'mirror', options });
		expect(memberIndexes()).toEqual(range(1, 21));
		expect(result.items.at(-1)).toEqual({
			json: {
				recipient: idsOf(0)[0],
				status: 'removed',
				reason: 'Removed: not among the recipients of the input',
				...groupFields(),
			},
			pairedItem: { item: 0 },
		});
		const requests = service.requests.filter(({ path }) => path.includes(target()._id));
		const sent = requests.map(({ method, body }) => [method, ...Object.keys(body ?? {})].join(' '));
		const [post, remove] = ['POST recipientIds', 'DELETE recipientIds'];
		expect(sent).toEqual(['GET', post, post, post, 'GET', remove, 'GET']);
	});

	test.each<[string, () => unknown[], string, number?]>([
		[
			'more removals than the limit',
			() => values(...range(3, 20)),
			'Mirror would remove 3 of the 10 people in the group (30 %), more than the 20 % allowed',
			20,
		],
		[
			'one removal if the limit is 0',
			() => values(...range(1, 20)),
			'Mirror would remove 1 of the 10 people in the group (10 %), more than the 0 % allowed',
			0,
		],
		[
			'a group that is shown incompletely',
			() => values(...range(0, 12)),
			'The service shows only 9 of 10 members of the group',
		],
	])('fails and changes nothing with %s', async (what, given, message, maxRemovalPercent = 100) => {
		members(...range(0, 10));
		if (what.startsWith('a group')) service.emulator.switches.leadsTruncated = 9;
		const { error } = await run(given(), { mode: 'mirror', maxRemovalPercent });
		expect(error?.message).toBe(message);
		const advice = what.startsWith('a group') ? 'Add and Remove work' : 'raise Maximum Removal (%)';
		expect(error?.description).toContain(advice);
		expect(target().version).toBe(0);
		expect(groupNames()).toHaveLength(2);
	});

	test('a dry run lists the changes, and warns if the removals exceed the limit', async () => {
		members(...range(0, 10));
		const given = { mode: 'mirror', dryRun: true };
		const result = await run(values(...range(3, 11)), given);
		expect(statuses(result).slice(6)).toEqual([
			...['alreadyMember', 'failed', 'failed', 'failed', 'failed'],
		]);
		const note =
			'Mirror would remove 3 of the 10 people in the group (30 %), more than the 20 % allowed. Without Dry Run, Mirror would stop here and change nothing.';
		expect(result.hints.map(({ message }) => message)).toEqual([note]);
		const options = { output: 'summary' };
		const summary = await run(values(...range(3, 11)), { ...given, options });
		expect(summary.json).toMatchObject([{ alreadyMember: 7, failed: 4, note }]);
		expect(target().version).toBe(0);
	});
});

describe('the temporary group', () => {
	test('temporary groups have unique, short names and are deleted, and each address is in four of them or alone', async () => {
		members(...range(0, 10));
		const [first = ''] = emailsOf(0);
		await sync([first, ...emailsOf(...range(1, 20))], { mode: 'mirror' });
		const filledWith = (text: string) =>
			service.requests.filter(({ body }) => JSON.stringify(body ?? '').includes(text));
		const groupsOf = (text: string) => new Set(filledWith(text).map(({ path }) => path)).size;
		// The group of all addresses, four groups of the word, and the control group.
		expect([groupsOf(first), groupsOf('recipientEmails')]).toEqual([7, 10]);
		expect(service.requests.find(({ method }) => method === 'POST')?.body).toEqual({
			name: expect.stringMatching(/^n8n sync staging \d{8}T\d{4}Z [a-z]{8}$/),
		});
		expect(groupNames()).toHaveLength(2);
	});

	test('a run warns and deletes the temporary groups of runs killed an hour ago, but no other group', async () => {
		const add = (name: string) => void service.emulator.state.addRecipientGroup(name);
		// More groups than fit on one page of the list.
		for (const number of range(0, 130)) add(`Team ${number}`);
		const old = nameAt(Date.now() - 1.1 * HOUR_MS);
		const fresh = nameAt(Date.now() - 0.9 * HOUR_MS);
		const lookalike = nameAt(0, 'abcdefgh2');
		// Another owner's group.
		const others = nameAt(0, 'stranger');
		service.emulator.state.addRecipientGroup(others).ownerId = 'x';
		for (const name of [old, nameAt(Date.now() - 2 * HOUR_MS), fresh, lookalike]) add(name);
		members(...range(0, 10));
		const result = await sync(emailsOf(...range(0, 11)), { mode: 'mirror' });
		expect(result.error).toBeUndefined();
		expect(syncGroups()).toEqual([others, fresh, lookalike]);
		expect(groupNames()).toHaveLength(135);
		expect(result.hints.map(({ message }) => message)).toEqual([
			'Deleted temporary groups of earlier syncs that were killed: 2.',
		]);
	});

	test.each([
		[{ refuse: 'No permission' }, 'The service says: No permission. ', 2, range(0, 10)],
		[
			{ status: 200, body: '<html>Sign in</html>' },
			'A sync that runs an hour later deletes them.',
			14,
			range(1, 10),
		],
	])('groups that cannot be deleted (%p) are in a warning', async (fault, advice, count, after) => {
		for (const age of [2, 3])
			service.emulator.state.addRecipientGroup(nameAt(Date.now() - age * HOUR_MS));
		members(...range(0, 10));
		service.emulator.faults.on('DELETE /recipientGroup/:id', fault, { times: Infinity });
		const given = { mode: 'mirror', onError: 'continueRegularOutput' } as const;
		const { hints } = await sync(emailsOf(...range(1, 10)), given);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringContaining(`n8n sync staging (${count}). ${advice}`),
		]);
		expect([syncGroups().length, memberIndexes()]).toEqual([count, after]);
	});
});
