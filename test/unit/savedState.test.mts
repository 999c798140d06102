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
	test('is read as it was, with all that is known of a campaign', () => {
		const state = stateOf(contents(), 20);
		expect(readState(parseAs(JSON.stringify(state)), fail)).toEqual(state);
		expect(state).toMatchObject({ version: 1, at: 20 });
	});

	test('that leaves out what is not known is read without it', () => {
		const { numbering: _, ...rest } = contents({ campaigns: { b: { events: 3 } } });
		const state = stateOf(rest, 20);
		const read = readState(parseAs(JSON.stringify(state)), fail);
		expect(read).toStrictEqual(state);
	});

	test('is none where nothing was saved', () => {
		expect(readState({}, fail)).toBeUndefined();
	});

	test('of a newer version is not read, and says so', () => {
		expect(() => readState(saved({ version: 2 }), fail)).toThrow('a newer version of the node');
		expect(() => readState({ version: 2 }, fail)).toThrow('a newer version of the node');
	});

	test.each<[string, IDataObject]>([
		['version 0', { version: 0 }],
		['a version in words', { version: '1' }],
		['no revision', { revision: undefined }],
		['a revision that is a number', { revision: 1 }],
		['no time', { at: undefined }],
		['a time in words', { at: '20' }],
		['no beginning', { listedUntil: null }],
		['an endless beginning', { listedUntil: Infinity }],
		['no selection', { selection: undefined }],
		['a numbering in words', { numbering: '1' }],
		['a numbering from 2', { numbering: 2 }],
		['no campaigns', { campaigns: undefined }],
		['campaigns in a list', { campaigns: [full] }],
		['a campaign that is text', { campaigns: { a: 'text' } }],
		['a campaign that is nothing', { campaigns: { a: null } }],
		['no list of what is no survey', { notSurveys: undefined }],
		['an object of what is no survey', { notSurveys: { c: true } }],
		['a number in the list of what is no survey', { notSurveys: ['c', 4] }],
	])('with %s is refused', (_case, change) => {
		expect(() => readState(saved(change), fail)).toThrow('cannot be read');
	});

	test.each<[string, IDataObject]>([
		['no events', { events: undefined }],
		['events in words', { events: '1' }],
		['a baseline without events', { baselines: 5 }],
		['baselines in a list', { baselines: [5] }],
		['a baseline without a time', { baselines: { 2: null } }],
		['one of two baselines in words', { baselines: { 2: 5, 4: '6' } }],
		['rows in a text', { rows: '###' }],
		['rows in a list', { rows: ['###'] }],
		['one of two rows that is a number', { rows: { 1: '###', 9: 9 } }],
		['a live date in words', { live: '2026-01-31' }],
		['a last time that is nothing', { last: null }],
		['an endless time of reopening', { until: -Infinity }],
		['a switch that says it is not closed', { closed: false }],
		['a switch that says it is not open', { open: false }],
	])('with a campaign of %s is refused', (_case, change) => {
		expect(() => readState(withCampaign(change), fail)).toThrow('cannot be read');
	});

	test('has objects of its own: what n8n writes into its data later does not change it', () => {
		const rows = { 1: '###' };
		const baselines = { 2: 5 };
		const state = readState(saved({ campaigns: { a: { events: 1, rows, baselines } } }), fail);
		rows[1] = 'x';
		baselines[2] = 0;
		expect(state?.campaigns).toEqual({ a: { events: 1, rows: { 1: '###' }, baselines: { 2: 5 } } });
	});
});

test('a copy says the same, and its objects are its own', () => {
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

test('every state has a revision of its own', () => {
	const revisions = Array.from({ length: 100 }, () => stateOf(contents(), 20).revision);
	expect(new Set(revisions).size).toBe(100);
	for (const revision of revisions) expect(revision).toMatch(/^[0-9a-z]{4,}$/);
});

describe('a state that says the same is not saved anew', () => {
	const state = stateOf(contents(), 20);
	const { numbering: _, ...unnumbered } = contents();
	const campaign = (changes: Partial<CampaignState>): Contents =>
		contents({ campaigns: { a: { ...full, ...changes }, b: { events: 3 } } });

	test.each<[string, Contents]>([
		['the same contents', contents()],
		['only a later list', contents({ listedUntil: 11 })],
		['what is no survey in another order', contents({ notSurveys: ['d', 'c'] })],
		['campaigns in another order', contents({ campaigns: { b: { events: 3 }, a: full } })],
		['a copy of a campaign with the same rows', campaign({ baselines: { 2: 5, 4: 6 } })],
	])('%s', (_case, same) => {
		expect(isSame(state, same)).toBe(true);
	});

	test.each<[string, Contents]>([
		['another selection', contents({ selection: 'some' })],
		['another numbering', contents({ numbering: 0 })],
		['no numbering', unnumbered],
		['something more that is no survey', contents({ notSurveys: ['c', 'd', 'e'] })],
		['something less that is no survey', contents({ notSurveys: ['c'] })],
		['something else that is no survey', contents({ notSurveys: ['c', 'e'] })],
		['a campaign more', contents({ campaigns: { ...contents().campaigns, c: { events: 1 } } })],
		['a campaign less', contents({ campaigns: { a: full } })],
		['another campaign', contents({ campaigns: { a: full, c: { events: 3 } } })],
		['other rows', campaign({ rows: { ...full.rows } })],
		['another live date', campaign({ live: 2 })],
		['other events', campaign({ events: 2 })],
		['another last time', campaign({ last: 3 })],
		['another time of reopening', campaign({ until: 4 })],
		['a campaign that is open again', campaign({ closed: undefined })],
		['a campaign whose closing is not awaited', campaign({ open: undefined })],
		['another baseline', campaign({ baselines: { 2: 5, 4: 7 } })],
		['no baseline', campaign({ baselines: undefined })],
	])('and one with %s is', (_case, other) => {
		expect(isSame(state, other)).toBe(false);
	});
});
