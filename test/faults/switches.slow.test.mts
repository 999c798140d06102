import { useNoWaiting } from '../kit/noWaiting.mts';
import { defaultSwitches } from '../../emulator/switches.mts';
import { useService } from '../kit/service.mts';
import { isInShare } from './operations.mts';
import { combinationsOf, nameOf, positions, switchNames, type Position } from './positions.mts';
import {
	everyListOfTheEditor,
	everyLocatorByName,
	everySurveyReading,
	listReadings,
	listsOfTheEditor,
	locatorsByName,
	otherReadings,
	surveyReadings,
	type Reading,
} from './readings.mts';
import { stocksFor, WORLD_SEED, worldAt, type Stock } from './world.mts';

/**
 * Everything that reads a list or survey data, under every position of every switch of the emulator: what nobody knows of
 * the service may make a reading fail in words, and never lose, repeat or mix up anything. Switches that work together
 * are tried in all combinations. `npm test` runs a fixed share, `npm run test:faults` all of it.
 */
const ALL = process.env.FAULTS === 'all';

/** One of so many cases. */
const SHARE = 10;

const service = useService(WORLD_SEED);

useNoWaiting();

type Case = { reading: Reading; position: Position; stock: Stock };

/** No list goes by both of the switches that may make a service give its first page for ever. */
const ofPaging = combinationsOf('emptyList', 'totalInLists', 'totalMeans').flatMap((position) =>
	[
		{},
		{ previousLastIdMeans: 'from' } as const,
		{ previousLastIdMeans: 'nothing', skipMeans: 'nothing' } as const,
	].map((edges): Position => ({ ...position, ...edges })),
);

const ofSurveys = combinationsOf(
	'questionNumbering',
	'firstQuestionAnswered',
	'surveyQuestionsForm',
);

const table: Array<[readings: Reading[], positions: Position[], stocks: typeof stocksFor]> = [
	[[...listReadings, ...otherReadings], positions, stocksFor],
	[listReadings, ofPaging, () => ['short pages', 'nothing']],
	[otherReadings, ofSurveys, () => ['one page', 'nothing']],
];

const cases = table.flatMap(([readings, own, stocks]) =>
	readings.flatMap((reading) =>
		own.flatMap((position) =>
			stocks(position).map((stock): [string, Case] => [
				`${reading.name}: ${nameOf(position)}, ${stock}`,
				{ reading, position, stock },
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

test('every reading of a survey is among them', async () => {
	expect([...surveyReadings].sort()).toEqual((await everySurveyReading()).sort());
});

test('every locator that takes a name is among them', async () => {
	expect([...locatorsByName].sort()).toEqual((await everyLocatorByName()).sort());
});

test.each(chosen)('%s', async (_name, { reading, position, stock }) => {
	await reading.check(await worldAt(service, position, stock));
});
