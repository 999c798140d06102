import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { category } from '../shared/category';
import { failure } from '../shared/failure';
import { scopeFilter, textFilter } from '../shared/filters';
import type { Field } from '../shared/field';
import { scope } from '../shared/scope';
import { isBlank, isDataObject, toChoice, toList, toNumber, toSwitch } from '../shared/values';
import { EVENTS, eventOptions, eventSet, SURVEY_CLOSED } from './events';
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
			{ name: 'All Campaigns', value: 'all', description: 'All recent and future surveys' },
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

/** Reads the parameters. @throws NodeOperationError, which names the field to check */
export function readSettings(context: IPollFunctions): Settings {
	const fail = failure(context);
	const field = (label: string): Field => ({ label, timezone: context.getTimezone(), fail });
	const parameter = (name: string): unknown => context.getNodeParameter(name, null);
	const collection = (name: string): IDataObject => {
		const value = parameter(name);
		return isDataObject(value) ? value : {};
	};
	const list = (name: string, label: string, advice: string): string[] => {
		const values = toList(parameter(name), field(label));
		if (values.length === 0) throw fail(`${label} is empty`, advice);
		return values;
	};
	const watched = (): Settings['watch'] => {
		const watch = parameter('watch') ?? 'selected';
		if (toChoice(watch, ['all', 'selected'], field('Watch')) === 'selected') {
			const advice = 'Choose at least one survey, or watch all campaigns.';
			return { selected: list('campaignIds', 'Survey Names or IDs', advice) };
		}
		const { category, scope = 'mine', liveWithinDays } = collection('filters');
		return {
			all: {
				...textFilter(category, field('Category'), 'category'),
				...scopeFilter(scope, field('Scope'), 'scope'),
			},
			liveWithinDays: toAmount(liveWithinDays, 90, field('Live Within Days'), 'above 0'),
		};
	};
	const names = list('events', 'Events', 'Choose at least one event to wait for.');
	const events = names.map((name) => toChoice(name, [...EVENTS, SURVEY_CLOSED], field('Events')));
	const { emitExisting = false, maxReadGapMinutes } = collection('options');
	const gap = toAmount(maxReadGapMinutes, 5, field('Max Read Gap (Minutes)'), 'of 0 or more');
	return {
		events: eventSet(events),
		surveyClosed: events.includes(SURVEY_CLOSED),
		watch: watched(),
		output: toChoice(parameter('output') ?? 'simplified', OUTPUTS, field('Output')),
		emitExisting: toSwitch(emitExisting, field('Emit Existing')),
		maxGapMs: gap * 60_000,
	};
}

/** Converts to a number that is not negative; a blank value to the default. */
function toAmount(
	value: unknown,
	byDefault: number,
	{ label, fail }: Field,
	range: 'above 0' | 'of 0 or more',
): number {
	const amount = isBlank(value) ? byDefault : toNumber(value);
	if (Number.isFinite(amount) && (amount > 0 || (amount === 0 && range !== 'above 0')))
		return amount;
	throw fail(`${label} must be a number ${range}`, `Without it, the node uses ${byDefault}.`);
}
