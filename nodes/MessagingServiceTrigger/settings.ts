import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { category, scopeFilter, scope } from '../shared/filters';
import { failure } from '../shared/failure';
import type { Field } from '../shared/field';
import {
	isBlank,
	isDataObject,
	toChoice,
	toList,
	toNumber,
	toSwitch,
	toText,
} from '../shared/values';
import { EVENT_CHOICES, eventOptions, eventSet, SURVEY_CLOSED } from './events';
import { OUTPUTS, type Output } from './items';

/** The parameters of the trigger (docs/conventions.md, Trigger). */
export const fields: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		options: eventOptions,
		default: ['surveySubmitted'],
		required: true,
		description: 'Events that start the workflow, with one item per event',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		options: [
			{
				name: 'All Campaigns',
				value: 'all',
				description: 'All recent and future surveys',
			},
			{
				name: 'Selected Campaigns',
				value: 'selected',
				description: 'The campaigns that you select',
			},
		],
		default: 'selected',
		description: 'Which campaigns to watch',
	},
	{
		displayName: 'Survey Names or IDs',
		name: 'campaignIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getCampaigns' },
		default: [],
		required: true,
		displayOptions: { show: { watch: ['selected'] } },
		description:
			'Surveys to watch. The list shows all campaigns, because the service does not mark surveys. If you choose a campaign that is not a survey, publishing the workflow fails, and the error names the campaign. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: { show: { watch: ['all'] } },
		options: [
			category,
			{
				displayName: 'Live Within Days',
				name: 'liveWithinDays',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 90,
				description:
					'Number of days to watch a survey after it went live. A week later, responses and a closing are ignored.',
			},
			scope,
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: "The service's own row, with answers named q.0, q.1 …",
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'Respondent, time, and answers under the question titles',
			},
			{
				name: 'Table',
				value: 'table',
				description: 'Respondent, time, and one field per question, for spreadsheets and databases',
			},
		],
		default: 'simplified',
		description: 'Format of the output',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Emit Existing',
				name: 'emitExisting',
				type: 'boolean',
				default: false,
				description:
					'Whether to also emit existing responses when the workflow is first published. Surveys that are already closed emit no Survey Closed event.',
			},
			{
				displayName: 'Max Read Gap (Minutes)',
				name: 'maxReadGapMinutes',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description:
					'Longest time between two reads of a live campaign. Campaigns with recent events are read more often. With 0, every live campaign is read at every poll.',
			},
		],
	},
];

/** The validated settings of the node. */
export type Settings = {
	/** The selected events except Survey Closed, as a set: a number with one bit per event. */
	events: number;
	/** Whether Survey Closed is selected. */
	surveyClosed: boolean;
	watch: { selected: string[] } | { all: IDataObject; liveWithinDays: number };
	output: Output;
	emitExisting: boolean;
	/** The longest gap between two reads of a live campaign, in milliseconds; with 0, every poll reads it. */
	maxGapMs: number;
};

/** The default of Live Within Days. */
const DEFAULT_DAYS = 90;

/** The default of Max Read Gap. */
const DEFAULT_GAP_MINUTES = 5;

/** Reads the parameters. @throws NodeOperationError, which names the field to check */
export function readSettings(context: IPollFunctions): Settings {
	const field = (label: string): Field => ({
		label,
		timezone: context.getTimezone(),
		fail: failure(context),
	});
	const output = context.getNodeParameter('output', 'simplified');
	const options: unknown = context.getNodeParameter('options', {});
	const { emitExisting = false, maxReadGapMinutes } = isDataObject(options) ? options : {};
	return {
		...readEvents(context, field('Events')),
		watch: readWatch(context, field),
		output: toChoice(output, OUTPUTS, field('Output')),
		emitExisting: toSwitch(emitExisting, field('Emit Existing')),
		maxGapMs: readGap(maxReadGapMinutes, field('Max Read Gap (Minutes)')) * 60_000,
	};
}

function readEvents(
	context: IPollFunctions,
	field: Field,
): Pick<Settings, 'events' | 'surveyClosed'> {
	const names = toList(context.getNodeParameter('events', []), field);
	if (names.length === 0)
		throw field.fail('Events is empty', 'Choose at least one event to wait for.');
	const chosen = names.map((name) => toChoice(name, EVENT_CHOICES, field));
	return {
		events: eventSet(chosen.filter((name) => name !== SURVEY_CLOSED)),
		surveyClosed: chosen.includes(SURVEY_CLOSED),
	};
}

function readWatch(context: IPollFunctions, field: (label: string) => Field): Settings['watch'] {
	const watch = context.getNodeParameter('watch', 'selected');
	if (toChoice(watch, ['all', 'selected'], field('Watch')) === 'selected') {
		const campaigns = field('Survey Names or IDs');
		const selected = toList(context.getNodeParameter('campaignIds', []), campaigns);
		if (selected.length > 0) return { selected };
		throw campaigns.fail(
			'Survey Names or IDs is empty',
			'Choose at least one survey, or watch all campaigns.',
		);
	}
	const filters: unknown = context.getNodeParameter('filters', {});
	const { category, scope, liveWithinDays } = isDataObject(filters) ? filters : {};
	const wanted = toText(category, field('Category')).trim();
	return {
		all: {
			...(wanted !== '' && { category: wanted }),
			...(scope === undefined ? {} : scopeFilter(scope, field('Scope'))),
		},
		liveWithinDays: readDays(liveWithinDays, field('Live Within Days')),
	};
}

function readDays(value: unknown, { label, fail }: Field): number {
	if (isBlank(value)) return DEFAULT_DAYS;
	const days = toNumber(value);
	if (Number.isFinite(days) && days > 0) return days;
	throw fail(
		`${label} must be a number above 0`,
		'Enter the number of days to watch a survey after it went live.',
	);
}

function readGap(value: unknown, { label, fail }: Field): number {
	if (isBlank(value)) return DEFAULT_GAP_MINUTES;
	const minutes = toNumber(value);
	if (Number.isFinite(minutes) && minutes >= 0) return minutes;
	throw fail(
		`${label} must be a number of 0 or more`,
		'Enter minutes. With 0, every live campaign is read at every poll.',
	);
}
