/** Milliseconds since the epoch. No date of the service is earlier. */
export const YEAR_2000 = Date.UTC(2000);
const YEAR_10000 = Date.UTC(10_000);
export const DAY_MS = 24 * 60 * 60_000;

/** A number below this value is a time in seconds. Any other number is a time in milliseconds. */
const LEAST_MS = 1e11;

/** Matches a date such as `2026-01-31`, optionally with a time, which may have a zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d[\d:.]*))? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Converts a date of the service to milliseconds since the epoch. A date without a zone is in UTC. A number, or a text
 * with only a number, is in milliseconds or seconds. Any text that is not ISO 8601 is read as JavaScript reads it.
 *
 * @param timeOfDayMs the time to assume for a date without a time: by default, the end of the day, so that the trigger
 *   misses no event of the day on which it starts
 * @returns NaN if it is not a date, or is before 2000 or after 9999
 */
export function parseServiceDate(value: unknown, timeOfDayMs = DAY_MS - 1): number {
	const time = typeof value === 'number' ? timeOfNumber(value) : timeOfText(value, timeOfDayMs);
	return time >= YEAR_2000 && time < YEAR_10000 ? Math.trunc(time) : NaN;
}

function timeOfNumber(value: number): number {
	return value < LEAST_MS ? value * 1000 : value;
}

function timeOfText(value: unknown, timeOfDayMs: number): number {
	if (typeof value !== 'string') return NaN;
	// The usual form, `2026-01-31T09:15:00.000Z`, first, because there may be 100,000 of them.
	if (value.length === 24 && value.endsWith('Z')) return Date.parse(value);
	const text = value.trim();
	if (/^\d+(\.\d+)?$/.test(text)) return timeOfNumber(Number(text));
	const [, date, time, zone = 'Z'] = ISO.exec(text) ?? [];
	// Any other form is read as JavaScript reads it, but never in n8n's own time zone.
	if (date === undefined)
		return Date.parse(/(Z|GMT|UTC|[+-]\d{4})$/i.test(text) ? text : `${text} UTC`);
	if (time === undefined) return Date.parse(date) + timeOfDayMs;
	// JavaScript requires minutes: `+01` becomes `+01:00`.
	return Date.parse(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone}`);
}
