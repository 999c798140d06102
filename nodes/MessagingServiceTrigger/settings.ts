import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure } from '../shared/failure';
import { isDataObject } from '../shared/guards';
import { scopeFilter, textFilter } from '../shared/filters';
import type { Field } from '../shared/field';
import { isBlank, toList } from '../shared/values';
import { eventSet } from './events';

/** What a builder set on the node, checked. */
export type Settings = {
	/** The events of interest, as a set. */
	events: number;
	watch: { selected: string[] } | { all: IDataObject; liveWithinDays: number };
	isRaw: boolean;
	emitExisting: boolean;
};

/** The service's campaigns are looked back on for so many days unless a builder says otherwise (docs/conventions.md). */
const DEFAULT_DAYS = 90;

/** Reads the parameters. @throws NodeOperationError that names the field to check */
export function readSettings(context: IPollFunctions): Settings {
	const field = (label: string): Field => ({
		label,
		timezone: context.getTimezone(),
		fail: failure(context),
	});
	const options: unknown = context.getNodeParameter('options', {});
	return {
		events: readEvents(context, field('Events')),
		watch: readWatch(context, field),
		isRaw: context.getNodeParameter('output', 'simplified') === 'raw',
		emitExisting: isDataObject(options) && options.emitExisting === true,
	};
}

function readEvents(context: IPollFunctions, field: Field): number {
	const events = eventSet(toList(context.getNodeParameter('events', []), field), (unknown) =>
		field.fail(
			`Events: "${unknown}" is unknown`,
			'Use surveySubmitted, campaignResponded or campaignRead.',
		),
	);
	if (events === 0) throw field.fail('Events is empty', 'Choose at least one event to wait for.');
	return events;
}

function readWatch(context: IPollFunctions, field: (label: string) => Field): Settings['watch'] {
	if (context.getNodeParameter('watch', 'selected') !== 'all') {
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
	const days = Number(value);
	if (Number.isFinite(days) && days > 0) return days;
	throw fail(
		`${label} must be a number above 0`,
		'It is the number of days since a campaign went live.',
	);
}
