import { groupSync, MEMBERS, range, statuses, type SyncOptions } from '../kit/groupSync.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { severalGroups } from '../kit/severalGroups.mts';

useFakeSleep();
const service = useService({ seed: 4, people: 40, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, idsOf, members, memberIndexes, sync } = groupSync(service);
const { membersOf, names, syncRows } = severalGroups(service);

/** n8n counts a wait of 0 as its default of a second. */
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Refuses the second and the third of the first try's calls, each of which is for one person. */
function refuseTwo(method: 'POST' | 'DELETE'): void {
	const match = { method, path: MEMBERS };
	service.emulator.faults.add({ match, skip: 1, times: 2, action: { refuse: 'Locked' } });
}

const oneByOne = { chunkSize: 1, concurrency: 1 };
const tried = async (people: number[], options: SyncOptions = {}) =>
	await sync(emailsOf(...people), {
		settings,
		...options,
		options: { ...oneByOne, ...options.options },
	});

describe.each(['perRecipient', 'summary'])('n8n tries a sync again: %s', (output) => {
	const isSummary = output === 'summary';

	test.each([
		['add', 'POST', 'added'],
		['remove', 'DELETE', 'removed'],
	] as const)('%s keeps what the first try did', async (mode, method, done) => {
		members(...(mode === 'add' ? [] : range(0, 4)));
		refuseTwo(method);
		const result = await tried(range(0, 4), { mode, options: { output } });
		expect(result.error).toBeUndefined();
		expect(memberIndexes()).toEqual(mode === 'add' ? range(0, 4) : []);
		if (isSummary) expect(result.json).toMatchObject([{ [done]: 4, failed: 0 }]);
		else expect(statuses(result)).toEqual([done, done, done, done]);
	});

	test('mirror keeps whom the first try removed', async () => {
		members(...range(0, 10));
		refuseTwo('DELETE');
		const result = await tried(range(0, 6), {
			mode: 'mirror',
			maxRemovalPercent: 50,
			options: { output },
		});
		expect(result.error).toBeUndefined();
		expect(memberIndexes()).toEqual(range(0, 6));
		if (isSummary) expect(result.json).toMatchObject([{ alreadyMember: 6, removed: 4, failed: 0 }]);
		else {
			const removed = result.json.filter(({ status }) => status === 'removed');
			expect(removed.map(({ recipient }) => recipient).sort()).toEqual(idsOf(6, 7, 8, 9).sort());
			expect(result.json).toHaveLength(10);
		}
	});
});

test('what fails each time fails at last, beside what was done', async () => {
	members();
	service.emulator.faults.add({
		match: { method: 'POST', path: MEMBERS },
		skip: 1,
		times: Infinity,
		action: { refuse: 'Locked' },
	});
	const { error } = await tried([0, 1]);
	expect(error?.message).toBe('1 recipient could not be synced');
	expect(error?.description).toContain('Locked');
	expect(error?.description).toContain('Summary: added 1, failed 1.');
});

test('each group keeps its own, one that was created too', async () => {
	members();
	refuseTwo('POST');
	const name = required(names()[0], 'group');
	const result = await syncRows(
		[0, 1, 2, 3].map((person) => [person < 2 ? name : 'New', person]),
		{
			settings,
			onError: 'stopWorkflow',
			parameters: { mode: 'add' },
			options: { ...oneByOne, createMissingGroups: true },
		},
	);
	expect(result.error).toBeUndefined();
	expect(statuses(result)).toEqual(['added', 'added', 'added', 'added']);
	expect(names().filter((other) => other === 'New')).toHaveLength(1);
	expect([membersOf(0), membersOf(2)]).toEqual([
		[0, 1],
		[2, 3],
	]);
});
