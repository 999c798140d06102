import { useFakeSleep } from '../kit/fakeSleep.mts';
import { defaultSwitches } from '../../emulator/switches.mts';
import { useService } from '../kit/service.mts';
import { isInShare } from './operations.mts';
import {
	combinationsOf,
	describeSettings,
	singleSettings,
	switchNames,
	type SwitchSettings,
} from './switchSettings.mts';
import {
	everyListOfTheEditor,
	everyLocatorByName,
	everySurveyRead,
	listReads,
	listsOfTheEditor,
	locatorsByName,
	otherReads,
	surveyReads,
	type ReadCase,
} from './readCases.mts';
import { volumesFor, FIXTURE_SEED, fixtureWith, type Volume } from './fixtures.mts';

/**
 * Everything that reads a list or survey data, under every value of every switch of the emulator: undocumented
 * behaviour of the service may make a read fail with an error, but never lose, repeat or mix up anything. Switches
 * that work together are tried in all combinations. `npm test` runs a fixed share, `npm run test:faults` all of it.
 */
const ALL = process.env.FAULTS === 'all';

/** One of so many cases. */
const SHARE = 20;

const service = useService(FIXTURE_SEED);

useFakeSleep();

type Case = { read: ReadCase; settings: SwitchSettings; volume: Volume };

/** No list goes by both of the switches that may make a service give its first page for ever. */
const ofPaging = combinationsOf('emptyList', 'totalInLists', 'totalMeans').flatMap((settings) =>
	[
		{},
		{ previousLastIdMeans: 'from' } as const,
		{ previousLastIdMeans: 'nothing', skipMeans: 'nothing' } as const,
	].map((edges): SwitchSettings => ({ ...settings, ...edges })),
);

const ofSurveys = combinationsOf(
	'questionNumbering',
	'firstQuestionAnswered',
	'surveyQuestionsForm',
);

const table: Array<[reads: ReadCase[], settings: SwitchSettings[], volumes: typeof volumesFor]> = [
	[[...listReads, ...otherReads], singleSettings, volumesFor],
	[listReads, ofPaging, () => ['short pages', 'nothing']],
	[otherReads, ofSurveys, () => ['one page', 'nothing']],
];

const cases = table.flatMap(([reads, own, volumes]) =>
	reads.flatMap((read) =>
		own.flatMap((settings) =>
			volumes(settings).map((volume): [string, Case] => [
				`${read.name}: ${describeSettings(settings)}, ${volume}`,
				{ read, settings, volume },
			]),
		),
	),
);

const chosen = cases.filter(([name]) => ALL || isInShare(name, SHARE));

test('every switch is among them', () => {
	expect(switchNames).toEqual(Object.keys(defaultSwitches()).sort());
});

test('every list of the editor is among them', async () => {
	expect([...listsOfTheEditor].sort()).toEqual((await everyListOfTheEditor()).sort());
});

test('every read of a survey is among them', async () => {
	expect([...surveyReads].sort()).toEqual((await everySurveyRead()).sort());
});

test('every locator that takes a name is among them', async () => {
	expect([...locatorsByName].sort()).toEqual((await everyLocatorByName()).sort());
});

test.each(chosen)('%s', async (_name, { read, settings, volume }) => {
	await read.check(await fixtureWith(service, settings, volume));
});
