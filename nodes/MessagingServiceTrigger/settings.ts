import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { category, filterApplies, toScopeQuery, scope } from '../shared/filters';
import { failure } from '../shared/failure';
import type { FieldInfo } from '../shared/field';
import {
	choices,
	collectionField,
	loadedField,
	numberField,
	optionsField,
	switchedOff,
} from '../shared/fieldTypes';
import { savedChoicesCheck } from '../shared/savedChoices';
import { fieldsIn, isBlank, toChoice, toLine, toList, toNumber, toSwitch } from '../shared/values';
import { EVENTS, eventOptions, eventSetOf, SURVEY_CLOSED, type EventSet } from './events';

/** The values of the parameter Output (docs/trigger.md). */
const OUTPUTS = ['raw', 'simplified', 'table'] as const;

const watches = choices({
	all: [
		'All Campaigns',
		'All current and future surveys that pass your filters. After 90 days without a new event, the trigger stops watching a survey. To change this number, add the filter Live Within Days. Campaigns that are not surveys have no events.',
	],
	selected: ['Selected Campaigns', 'Only the surveys that you select, of any age'],
});

const outputs = choices({
	raw: 'The response as the service returns it, with keys such as q.1 instead of question titles',
	simplified: 'Respondent, time, and all answers in the field "answers"',
	table: 'Respondent, time, and one field per question, for spreadsheets and databases',
});

/** The parameters of the trigger (docs/trigger.md). */
export const triggerFields: INodeProperties[] = [
	optionsField(
		'events',
		eventOptions,
		'',
		'Events that start the workflow. The node returns one item per event.',
		{ type: 'multiOptions', default: ['surveySubmitted'], required: true },
	),
	optionsField('watch', watches, 'selected', 'Which campaigns to watch'),
	loadedField(
		'multiOptions',
		'campaignIds',
		'Survey',
		'getCampaigns',
		'Surveys to watch. The list also shows campaigns that are not surveys. If you choose one of these campaigns, publishing the workflow may fail.',
		{ required: true, displayOptions: { show: { watch: ['selected'] } } },
	),
	collectionField(
		'filters',
		'Add Filter',
		[
			category,
			numberField(
				'liveWithinDays',
				90,
				'If a live survey has had no new event for this many days, the trigger stops watching the survey. For surveys that run for years, use Selected Campaigns.',
				1,
			),
			scope,
		],
		{ displayOptions: { show: { watch: ['all'] } } },
	),
	optionsField('output', outputs, 'simplified', 'Format of the output'),
	collectionField('options', 'Add Option', [
		switchedOff(
			'emitExisting',
			'Whether to also emit the responses that already exist when you publish this node for the first time. If a survey was already closed by then, the node emits no Survey Closed event.',
		),
		numberField(
			'maxReadGapMinutes',
			5,
			'The trigger usually reads the responses of each live survey at least once in this number of minutes. After recent events, the trigger reads a survey more often. With 0, the trigger usually reads all live surveys as often as the field Poll Times says.',
			0,
		),
	]),
];

/** The validated settings of the node. */
export type Settings = {
	/** The selected events, without Survey Closed. */
	events: EventSet;
	/** Whether Survey Closed is selected. */
	surveyClosed: boolean;
	/** The IDs of Selected Campaigns, or how to list All Campaigns: `all` is the query without live dates. */
	watch: { selected: string[] } | { all: IDataObject; liveWithinDays: number };
	output: (typeof OUTPUTS)[number];
	emitExisting: boolean;
	/** The longest gap between two reads of a live campaign, in milliseconds. With 0, every poll reads it. */
	maxGapMs: number;
};

const checkChoices = savedChoicesCheck(triggerFields);

/** Reads the parameters. @throws NodeOperationError, which names the field to check */
export function readSettings(context: IPollFunctions): Settings {
	const fail = failure(context);
	checkChoices(context.getNode().parameters, fail);
	const field = (label: string): FieldInfo => ({ label, timezone: context.getTimezone(), fail });
	const parameter = (name: string, standard?: string): unknown =>
		context.getNodeParameter(name, standard ?? null);
	const requiredList = (name: string, label: string, advice: string): string[] => {
		const values = toList(parameter(name), field(label));
		if (values.length === 0) throw fail(`${label} is empty`, advice);
		return values;
	};
	const readWatch = (): Settings['watch'] => {
		const watch = toChoice(parameter('watch', 'selected'), ['all', 'selected'], field('Watch'));
		if (watch === 'selected') {
			const advice = 'Choose at least one survey, or watch all campaigns.';
			return { selected: requiredList('campaignIds', 'Survey Names or IDs', advice) };
		}
		const filters = fieldsIn(parameter('filters'));
		const savedCategory = fieldsIn(context.getNode().parameters.filters).category;
		const categoryField = field('Category');
		const warn = (message: string) => context.logger.warn(message);
		const hasCategory =
			'category' in filters && filterApplies(filters.category, savedCategory, categoryField, warn);
		return {
			all: {
				...(hasCategory && { category: toLine(filters.category, categoryField) }),
				...('scope' in filters && toScopeQuery(filters.scope, field('Scope'))),
			},
			liveWithinDays: toAmount(filters.liveWithinDays, 90, field('Live Within Days'), 'above 0'),
		};
	};
	const names = requiredList('events', 'Events', 'Choose at least one event to wait for.');
	const events = names.map((name) => toChoice(name, [...EVENTS, SURVEY_CLOSED], field('Events')));
	const options: IDataObject = { emitExisting: false, ...fieldsIn(parameter('options')) };
	const { emitExisting, maxReadGapMinutes } = options;
	const gap = toAmount(maxReadGapMinutes, 5, field('Max Read Gap (Minutes)'), 'of 0 or more');
	return {
		events: eventSetOf(events),
		surveyClosed: events.includes(SURVEY_CLOSED),
		watch: readWatch(),
		output: toChoice(parameter('output', 'simplified'), OUTPUTS, field('Output')),
		emitExisting: toSwitch(emitExisting, field('Emit Existing')),
		maxGapMs: gap * 60_000,
	};
}

/** Converts to a number in the range. Converts a blank value to the default. */
function toAmount(
	value: unknown,
	standard: number,
	{ label, fail }: FieldInfo,
	range: 'above 0' | 'of 0 or more',
): number {
	const amount = isBlank(value) ? standard : toNumber(value);
	const isInRange = range === 'above 0' ? amount > 0 : amount >= 0;
	if (Number.isFinite(amount) && isInRange) return amount;
	throw fail(`${label} must be a number ${range}`, `If empty, the node uses ${standard}.`);
}
