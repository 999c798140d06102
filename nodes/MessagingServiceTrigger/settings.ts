import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure } from '../shared/failure';
import { scopeFilter, textFilter } from '../shared/filters';
import type { Field } from '../shared/field';
import { isBlank, isDataObject, toChoice, toList, toNumber, toSwitch } from '../shared/values';
import { EVENT_CHOICES, eventSet, SURVEY_CLOSED } from './events';
import { OUTPUTS, type Output } from './items';

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
		const campaigns = field('Campaigns');
		const selected = toList(context.getNodeParameter('campaignIds', []), campaigns);
		if (selected.length > 0) return { selected };
		throw campaigns.fail(
			'Campaigns is empty',
			'Choose at least one campaign, or watch all campaigns.',
		);
	}
	const filters: unknown = context.getNodeParameter('filters', {});
	const { category, scope, liveWithinDays } = isDataObject(filters) ? filters : {};
	return {
		all: {
			...textFilter(category, field('Category'), 'category'),
			...(scope === undefined ? {} : scopeFilter(scope, field('Scope'), 'scope')),
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
