import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import type { Field } from '../../../../shared/field';
import { savedOr } from '../../../fields/collections';
import { toChoice, toFutureTimestamp, toNumber } from '../../../../shared/values';

const UNITS_MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/**
 * Returns the time at which an execution stops waiting. Limit Wait Time works as in n8n's own nodes.
 *
 * @param limit the `values` of Limit Wait Time, empty without this option
 * @param now milliseconds since the epoch
 * @throws the error of `field.fail` for an invalid limit
 */
export function waitUntil(limit: IDataObject, field: Field, now: number): Date {
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	const choice = (label: string) => ({ ...field, label: `Limit Wait Time: ${label}` });
	const type = toChoice(
		savedOr(limit, 'limitType', 'afterTimeInterval'),
		['afterTimeInterval', 'atSpecifiedTime'],
		choice('Limit Type'),
	);
	if (type === 'atSpecifiedTime') {
		const until = choice('Max Date and Time');
		const end = toFutureTimestamp(limit.maxDateAndTime, until, now);
		if (Date.parse(end) > now) return new Date(end);
		// A send time may lie up to five minutes in the past. A wait limit in the past is refused, because nobody could
		// respond.
		throw field.fail(
			`${until.label} is in the past: ${end}`,
			'Pick a later time. Nothing was sent.',
		);
	}
	const unit = toChoice(
		savedOr(limit, 'resumeUnit', 'hours'),
		Object.keys(UNITS_MS),
		choice('Unit'),
	);
	const amount = toNumber(savedOr(limit, 'resumeAmount', 1));
	const until = new Date(now + amount * (UNITS_MS[unit] ?? NaN));
	if (amount > 0 && !Number.isNaN(until.getTime())) return until;
	throw field.fail('Limit Wait Time: Amount must be a number above 0');
}
