import { LISTS_OF_THE_EDITOR } from '../kit/listsOfTheEditor.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { useService } from '../kit/service.mts';
import { isInShare } from './operations.mts';
import {
	combinationsOf,
	describeSettings,
	singleSettings,
	type SwitchSettings,
} from './switchSettings.mts';
import { everyListOfTheEditor, listReads, type ReadCase } from './readCases.mts';
import { volumesFor, FIXTURE_SEED, fixtureWith, type Volume } from './fixtures.mts';

/**
 * Tests all reads of lists with every value of every switch of the emulator. If the service behaves in an
 * undocumented way, a read may fail with an error, but it must never lose, repeat or mix up records. Switches that affect
 * each other are tested in all combinations.
 */

/** Only one in `SHARE` cases runs. */
const SHARE = 40;

const service = useService(FIXTURE_SEED);

useFakeSleep();

type Case = { read: ReadCase; settings: SwitchSettings; volume: Volume };

/**
 * `previousLastIdMeans` and `skipMeans` can each make the service repeat its first page forever. Each list depends on at
 * most one of them, so the last case sets both.
 */
const ofPaging = combinationsOf('emptyList', 'totalInLists', 'totalMeans').flatMap((settings) =>
	[
		{},
		{ previousLastIdMeans: 'from' } as const,
		{ previousLastIdMeans: 'nothing', skipMeans: 'nothing' } as const,
	].map((edges): SwitchSettings => ({ ...settings, ...edges })),
);

const table: Array<[settings: SwitchSettings[], volumes: typeof volumesFor]> = [
	[singleSettings, volumesFor],
	[ofPaging, () => ['short pages', 'nothing']],
];

const cases = table.flatMap(([own, volumes]) =>
	listReads.flatMap((read) =>
		own.flatMap((settings) =>
			volumes(settings).map((volume): [string, Case] => [
				`${read.name}: ${describeSettings(settings)}, ${volume}`,
				{ read, settings, volume },
			]),
		),
	),
);

const chosen = cases.filter(([name]) => isInShare(name, SHARE));

test('the cases cover every list of the editor', async () => {
	const declared = await everyListOfTheEditor();
	expect(Object.keys(LISTS_OF_THE_EDITOR).sort()).toEqual(declared.sort());
});

test.each(chosen)('%s', async (_name, { read, settings, volume }) => {
	await read.check(await fixtureWith(service, settings, volume));
});
