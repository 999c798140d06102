import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	eventNames,
	eventNumbers,
	eventSet,
	eventsOf,
} from '../../nodes/MessagingServiceTrigger/events.ts';
import { eventItems, type Output } from '../../nodes/MessagingServiceTrigger/items.ts';
import { readSettings } from '../../nodes/MessagingServiceTrigger/settings.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

const settingsOf = (parameters: IDataObject) =>
	readSettings(
		only<IPollFunctions>({
			getNode: () => anyNode,
			getTimezone: () => 'Europe/Berlin',
			getNodeParameter: (name: string, fallback?: object) => parameters[name] ?? fallback,
		}),
	);

const chosen = { events: ['surveySubmitted'], campaignIds: ['c1'] };
const all = { ...chosen, watch: 'all' };

describe('the settings of the trigger', () => {
	test('have defaults', () => {
		expect(settingsOf(chosen)).toEqual({
			events: 1,
			surveyClosed: false,
			watch: { selected: ['c1'] },
			output: 'simplified',
			emitExisting: false,
			maxGapMs: 300_000,
		});
		expect(settingsOf(all).watch).toEqual({ all: {}, liveWithinDays: 90 });
	});

	test.each<[string, IDataObject, IDataObject]>([
		['several events', { events: 'campaignRead, SURVEYSUBMITTED' }, { events: 5 }],
		['Survey Closed alone', { events: ['surveyClosed'] }, { events: 0, surveyClosed: true }],
		[
			'Survey Closed among others',
			{ events: 'surveyClosed,campaignRead' },
			{ events: 4, surveyClosed: true },
		],
		['several campaigns', { campaignIds: 'c1; c2' }, { watch: { selected: ['c1', 'c2'] } }],
		['raw rows', { output: 'raw' }, { output: 'raw' }],
		['existing responses', { options: { emitExisting: 'yes' } }, { emitExisting: true }],
		['a gap', { options: { maxReadGapMinutes: '2.5' } }, { maxGapMs: 150_000 }],
		['a gap of 0', { options: { maxReadGapMinutes: 0 } }, { maxGapMs: 0 }],
		['a cleared gap', { options: { maxReadGapMinutes: ' ' } }, { maxGapMs: 300_000 }],
		['options of the wrong type', { options: 'none' }, { emitExisting: false, maxGapMs: 300_000 }],
		[
			'all campaigns with filters',
			{ watch: 'ALL', filters: { category: 'HR ', scope: 'all', liveWithinDays: '7' } },
			{ watch: { all: { category: 'HR', all: 'true' }, liveWithinDays: 7 } },
		],
		[
			'all campaigns of the caller',
			{ watch: 'all', filters: { scope: 'mine', liveWithinDays: 0.5 } },
			{ watch: { all: {}, liveWithinDays: 0.5 } },
		],
		[
			'all campaigns with cleared filters',
			{ watch: 'all', filters: { category: '', liveWithinDays: '' } },
			{ watch: { all: {}, liveWithinDays: 90 } },
		],
		[
			'filters of the wrong type',
			{ watch: 'all', filters: [] },
			{ watch: { all: {}, liveWithinDays: 90 } },
		],
	])('are read from parameters with %s', (_case, parameters, settings) => {
		expect(settingsOf({ ...chosen, ...parameters })).toMatchObject(settings);
	});

	test.each<[string, IDataObject, string]>([
		['no event', { events: undefined }, 'Events is empty'],
		['an unknown event', { events: ['surveyOpened'] }, 'Events must be'],
		['no campaign', { campaignIds: undefined }, 'Survey Names or IDs is empty'],
		['an unknown Watch', { watch: 'some' }, 'Watch must be all or selected'],
		['an unknown Output', { output: 'list' }, 'Output must be raw, simplified or table'],
		[
			'text for a switch',
			{ options: { emitExisting: 'maybe' } },
			'Emit Existing must be on or off',
		],
		...[-1, Infinity, 'long'].map((maxReadGapMinutes): [string, IDataObject, string] => [
			`a gap of ${maxReadGapMinutes}`,
			{ options: { maxReadGapMinutes } },
			'Max Read Gap (Minutes) must be',
		]),
		...[0, 'Infinity', 'few'].map((liveWithinDays): [string, IDataObject, string] => [
			`${liveWithinDays} days`,
			{ ...all, filters: { liveWithinDays } },
			'Live Within Days must be',
		]),
		['an object for a category', { ...all, filters: { category: {} } }, 'Category must be text'],
		['an unknown scope', { ...all, filters: { scope: '' } }, 'Scope must be'],
	])('with %s, are refused with an error that names the field', (_case, parameters, message) => {
		expect(() => settingsOf({ ...chosen, ...parameters })).toThrow(message);
	});
});

describe('events', () => {
	test('are converted between names, numbers and sets, and read from rows', () => {
		expect(eventSet([])).toBe(0);
		expect(eventSet(['campaignRead', 'surveySubmitted'])).toBe(5);
		expect(eventNames(5)).toEqual(['surveySubmitted', 'campaignRead']);
		expect(eventNumbers(6)).toEqual([1, 2]);
		expect(eventNumbers(0)).toEqual([]);
		expect(eventsOf({ submitted: true, read: true })).toBe(5);
		expect(eventsOf({ responseSubmitted: true })).toBe(2);
		expect(eventsOf({ submitted: 'true', responseSubmitted: 1, read: null })).toBe(0);
	});

	test('become simplified, raw or table items', () => {
		const row = { submitted: true, userId: 'u1', 'q.1': 5 };
		const questions = [{ title: 'Why?' }, { title: 'How?' }];
		const survey = { name: 'Pulse', questions, result: [row] };
		const newEvents = [{ event: 'surveySubmitted' as const, row }];
		const warn = jest.fn();
		expect(eventItems('c1', survey, newEvents, { output: 'raw', warn })).toEqual([
			{ json: { ...row, event: 'surveySubmitted', campaignId: 'c1' } },
		]);
		const simplified = { output: 'simplified', numbering: 1, warn } as const;
		const [item] = eventItems('c1', survey, newEvents, simplified);
		const campaign = { campaignId: 'c1', campaignName: 'Pulse' };
		const answers = { 'Why?': 5, 'How?': null };
		expect(item?.json).toMatchObject({ event: 'surveySubmitted', ...campaign, answers });
		expect(eventItems('c1', survey, [], simplified)).toEqual([]);
		const titled = { ...survey, questions: [{ title: 'Why?' }, { title: 'event' }] };
		const table = { ...simplified, output: 'table' } as const;
		expect(eventItems('c1', titled, newEvents, table)).toEqual([
			{
				json: expect.objectContaining({
					...{ event: 'surveySubmitted', ...campaign, submitted: true },
					...{ 'Why?': 5, 'event (2)': null },
				}),
			},
		]);
		expect(warn).not.toHaveBeenCalled();
	});

	test('log a warning when raw items of an anonymous survey contain the names of respondents', () => {
		const row = { submitted: true, userEmail: 'ada@example.com' };
		const survey = { name: 'Pulse', anonymous: true, questions: [], result: [row] };
		const warningsOf = (output: Output, named: IDataObject) => {
			const warnings: string[] = [];
			const warn = (message: string) => void warnings.push(message);
			const rows = [named, { submitted: true }];
			const newEvents = rows.map((row) => ({ event: 'surveySubmitted' as const, row }));
			eventItems('c1', survey, newEvents, { output, warn });
			return warnings;
		};
		expect(warningsOf('raw', row)).toEqual([
			'The survey “Pulse” is anonymous, but the service returns the names of the respondents, and Raw contains them. To hide the names, choose another Output.',
		]);
		expect(warningsOf('raw', { ...row, userEmail: '' })).toEqual([]);
		expect(warningsOf('simplified', row)).toEqual([]);
		expect(warningsOf('table', row)).toEqual([]);
	});
});
