import type { IDataObject } from 'n8n-workflow';

import {
	copyOf,
	isSame,
	readState,
	stateOf,
	type CampaignState,
	type Contents,
} from '../../nodes/MessagingServiceTrigger/state/savedState.ts';
import { parseAs } from '../kit/typed.mts';

const fail = (message: string) => new Error(message);

const full: CampaignState = {
	...{ events: 1, baselines: { 2: 5, 4: 6 }, rows: { 1: '###', 9: '~~~' } },
	...{ live: 1, last: 2, until: 3, closed: true, open: true },
};

const contents = (changes: Partial<Contents> = {}): Contents => ({
	...{ listedUntil: 10, selection: 'all', numbering: 1, notSurveys: ['c', 'd'] },
	campaigns: { a: full, b: { events: 3 } },
	...changes,
});

const saved = (changes: IDataObject = {}): IDataObject => ({
	...parseAs<IDataObject>(JSON.stringify(stateOf(contents(), 20))),
	...changes,
});

const withCampaign = (changes: IDataObject): IDataObject =>
	saved({ campaigns: { a: { ...parseAs<IDataObject>(JSON.stringify(full)), ...changes } } });

describe('a saved state', () => {
	test.each([0, 1] as const)(
		'is unchanged after saving and reading (numbering: %i)',
		(numbering) => {
			const state = stateOf(contents({ numbering }), 20);
			expect(readState(parseAs(JSON.stringify(state)), fail)).toEqual(state);
			expect(state).toMatchObject({ version: 1, at: 20 });
		},
	);

	test('may lack optional values', () => {
		const { numbering: _, ...rest } = contents({ campaigns: { b: { events: 3 } } });
		const state = stateOf(rest, 20);
		const read = readState(parseAs(JSON.stringify(state)), fail);
		expect(read).toStrictEqual(state);
	});

	test('is undefined before the first save', () => {
		expect(readState({}, fail)).toBeUndefined();
	});

	test('is refused with a separate message if its version is newer', () => {
		expect(() => readState(saved({ version: 2 }), fail)).toThrow('a newer version of the node');
		expect(() => readState({ version: 2 }, fail)).toThrow('a newer version of the node');
	});

	test.each<[string, IDataObject]>([
		['version 0', { version: 0 }],
		['text as version', { version: '2' }],
		['no revision', { revision: undefined }],
		['a revision that is a number', { revision: 1 }],
		['no time', { at: undefined }],
		['text as time', { at: '20' }],
		['no time of the last list', { listedUntil: null }],
		['an infinite time of the last list', { listedUntil: Infinity }],
		['no selection', { selection: undefined }],
		['text as numbering', { numbering: '1' }],
		['a numbering from 2', { numbering: 2 }],
		['no campaigns', { campaigns: undefined }],
		['an array of campaigns', { campaigns: [full] }],
		['text as campaign', { campaigns: { a: 'text' } }],
		['null as campaign', { campaigns: { a: null } }],
		['no list of campaigns that are not surveys', { notSurveys: undefined }],
		['an object for that list', { notSurveys: { c: true } }],
		['a number in that list', { notSurveys: ['c', 4] }],
	])('is refused with %s', (_case, change) => {
		expect(() => readState(saved(change), fail)).toThrow('cannot be read');
	});

	test.each<[string, IDataObject]>([
		['no events', { events: undefined }],
		['text as events', { events: '1' }],
		['a number as baselines', { baselines: 5 }],
		['an array of baselines', { baselines: [5] }],
		['null as baseline', { baselines: { 2: null } }],
		['text as one of two baselines', { baselines: { 2: 5, 4: '6' } }],
		['text as rows', { rows: '###' }],
		['an array of rows', { rows: ['###'] }],
		['a number as one of two rows', { rows: { 1: '###', 9: 9 } }],
		['text as live date', { live: '2026-01-31' }],
		['null as last time', { last: null }],
		['an infinite time of reopening', { until: -Infinity }],
		['false for closed', { closed: false }],
		['false for open', { open: false }],
	])('is refused if a campaign has %s', (_case, change) => {
		expect(() => readState(withCampaign(change), fail)).toThrow('cannot be read');
	});

	test("is a copy, so changing n8n's data later does not affect it", () => {
		const rows = { 1: '###' };
		const baselines = { 2: 5 };
		const state = readState(saved({ campaigns: { a: { events: 1, rows, baselines } } }), fail);
		rows[1] = 'x';
		baselines[2] = 0;
		expect(state?.campaigns).toEqual({ a: { events: 1, rows: { 1: '###' }, baselines: { 2: 5 } } });
	});
});

test('copyOf returns an equal, independent copy', () => {
	const state = stateOf(contents(), 20);
	const before = structuredClone(state);
	const copy = copyOf(state);
	expect(copy).toEqual(state);
	copy.notSurveys.push('e');
	for (const campaign of Object.values(copy.campaigns)) {
		Object.assign(campaign.rows ?? {}, { 1: 'x' });
		Object.assign(campaign.baselines ?? {}, { 2: 0 });
		campaign.events = 0;
	}
	copy.campaigns.z = { events: 0 };
	expect(state).toEqual(before);
	expect(Object.keys(copyOf(state).campaigns.b ?? {})).toEqual(['events']);
});

test('stateOf gives every state its own revision', () => {
	const revisions = Array.from({ length: 100 }, () => stateOf(contents(), 20).revision);
	expect(new Set(revisions).size).toBe(100);
	for (const revision of revisions) expect(revision).toMatch(/^[0-9a-z]{4,}$/);
});

describe('isSame', () => {
	const state = stateOf(contents(), 20);
	const { numbering: _, ...unnumbered } = contents();
	const campaign = (changes: Partial<CampaignState>): Contents =>
		contents({ campaigns: { a: { ...full, ...changes }, b: { events: 3 } } });

	test.each<[string, Contents]>([
		['equal contents', contents()],
		['contents with only a later list', contents({ listedUntil: 11 })],
		['notSurveys in another order', contents({ notSurveys: ['d', 'c'] })],
		['campaigns in another order', contents({ campaigns: { b: { events: 3 }, a: full } })],
		['a copy of a campaign with the same rows', campaign({ baselines: { 2: 5, 4: 6 } })],
	])('is true for %s', (_case, same) => {
		expect(isSame(state, same)).toBe(true);
	});

	test.each<[string, Contents]>([
		['another selection', contents({ selection: 'some' })],
		['another numbering', contents({ numbering: 0 })],
		['no numbering', unnumbered],
		['one more in notSurveys', contents({ notSurveys: ['c', 'd', 'e'] })],
		['one fewer in notSurveys', contents({ notSurveys: ['c'] })],
		['another one in notSurveys', contents({ notSurveys: ['c', 'e'] })],
		['one more campaign', contents({ campaigns: { ...contents().campaigns, c: { events: 1 } } })],
		['one fewer campaign', contents({ campaigns: { a: full } })],
		['another campaign', contents({ campaigns: { a: full, c: { events: 3 } } })],
		['other rows', campaign({ rows: { ...full.rows } })],
		['another live date', campaign({ live: 2 })],
		['other events', campaign({ events: 2 })],
		['another last time', campaign({ last: 3 })],
		['another time of reopening', campaign({ until: 4 })],
		['a campaign that is open again', campaign({ closed: undefined })],
		['a campaign that is no longer open', campaign({ open: undefined })],
		['another baseline', campaign({ baselines: { 2: 5, 4: 7 } })],
		['no baseline', campaign({ baselines: undefined })],
	])('is false for %s', (_case, other) => {
		expect(isSame(state, other)).toBe(false);
	});
});
