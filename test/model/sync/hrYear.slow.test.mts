import { channelSync } from '../../kit/channelSync.mts';
import { useFakeSleep } from '../../kit/fakeSleep.mts';
import { range } from '../../kit/groupSync.mts';
import fc, { runs } from '../../kit/property.mts';
import { required } from '../../kit/required.mts';
import { useService } from '../../kit/service.mts';
import { severalGroups, type Row } from '../../kit/severalGroups.mts';

useFakeSleep();
const service = useService({ seed: 8, people: 60, groups: 3, campaigns: 0, channels: 3 });
const groups = severalGroups(service);
const channels = channelSync(service);

/** The nights of a run: a year, if PROPERTY_TIMES is 10. */
const NIGHTS = runs(37);

/** What changes from one night to the next. A number is a person. */
const night = fc.record({
	/** People who join or move, each with the new department. */
	moves: fc.array(fc.tuple(fc.nat(59), fc.nat(2)), { maxLength: 2 }),
	leaves: fc.array(fc.nat(59), { maxLength: 1 }),
	/** Departments with a row that has no address, or the address of somebody whom the service does not know yet. */
	blankIn: fc.option(fc.nat(2), { freq: 2 }),
	unknownIn: fc.option(fc.nat(2), { freq: 2 }),
	/** Who gets a new address in the service. HR has the former one for some nights. */
	renamed: fc.option(fc.nat(59), { freq: 2 }),
	nightsBehind: fc.integer({ min: 1, max: 3 }),
});

/** The two kinds of targets: how a night's rows are synced, and who is in a target afterwards. */
const kinds = {
	groups: {
		nameOf: groups.nameOf,
		fill: groups.fill,
		membersOf: groups.membersOf,
		sync: async (rows: Row[]) =>
			await groups.syncRows(rows, { maxRemovalPercent: 50, onError: 'stopWorkflow' }),
	},
	channels: {
		nameOf: (index: number) => channels.channel(index).name,
		fill: channels.fill,
		membersOf: channels.members,
		sync: async (rows: Row[]) =>
			await channels.sync(
				'mirror',
				rows.map(([name, who]) => [name, String(who)]),
				{},
				'stopWorkflow',
			),
	},
};

test.each([
	['groups', false],
	['groups', true],
	['channels', false],
	['channels', true],
] as const)(
	'a year of nights with %s, former addresses: %p',
	async (kind, hasFormer) => {
		const { nameOf, fill, membersOf, sync } = kinds[kind];
		const { person } = channels;
		const department = new Map(range(0, 45).map((index) => [index, index % 3]));
		const addressInHr = new Map(range(0, 60).map((index) => [index, person(index).email]));
		const behind = new Map<number, number>();
		for (const target of range(0, 3)) fill(target, ...range(0, 45).filter((n) => n % 3 === target));
		const wrong: string[] = [];
		let redNights = 0;
		let changedBesideRed = 0;
		for (const [number, changes] of fc.sample(night, NIGHTS).entries()) {
			for (const [index, target] of changes.moves) department.set(index, target);
			for (const index of changes.leaves) department.delete(index);
			for (const [index, nights] of behind) {
				if (nights > 0) behind.set(index, nights - 1);
				else {
					addressInHr.set(index, person(index).email);
					behind.delete(index);
				}
			}
			if (hasFormer && changes.renamed !== null && !behind.has(changes.renamed)) {
				channels.rename(changes.renamed);
				behind.set(changes.renamed, changes.nightsBehind);
			}
			const rows = Array.from(department, ([index, target]): Row => [
				nameOf(target),
				required(addressInHr.get(index), 'address'),
			]);
			if (changes.blankIn !== null) rows.push([nameOf(changes.blankIn), 'n/a']);
			if (changes.unknownIn !== null)
				rows.push([nameOf(changes.unknownIn), `new${number}@people.example`]);
			const before = range(0, 3).map(membersOf);
			const { error } = await sync(rows);
			// A group shows no addresses, so a former address is like any other.
			const former = kind === 'channels' ? [...behind.keys()] : [];
			const red = new Set(former.flatMap((index) => department.get(index) ?? []));
			if (error) redNights++;
			// Who is shown under another address than in HR is one of the people who stay although no item names them.
			const isSurplus = (index: number, target: number) =>
				department.get(index) !== target || behind.has(index);
			const hasCause = [...red].some((target) =>
				before[target]?.some((one) => isSurplus(one, target)),
			);
			if ((error !== undefined) !== hasCause)
				wrong.push(`night ${number} is ${error ? `red: ${error.message}` : 'green'}`);
			for (const target of range(0, 3)) {
				const named = [...department].flatMap(([index, its]) => (its === target ? index : []));
				const kept = red.has(target) ? (before[target] ?? []) : [];
				const wanted = [...new Set([...named, ...kept])].sort((a, b) => a - b);
				const members = membersOf(target);
				if (members.join() !== wanted.join())
					wrong.push(
						`night ${number}: ${nameOf(target)} has ${members.join()}, not ${wanted.join()}`,
					);
				const isChanged = members.join() !== before[target]?.join();
				if (error && !red.has(target) && isChanged) changedBesideRed++;
			}
		}
		expect(wrong).toEqual([]);
		// The year has nights on which a former address stops one channel, and another one changes.
		const hasRed = kind === 'channels' && hasFormer;
		expect([redNights > 0, changedBesideRed > 0]).toEqual([hasRed, hasRed]);
	},
	3_600_000,
);
