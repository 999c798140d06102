/** Matches a date-time with a time zone. */
const HAS_ZONE = /(Z|[+-]\d\d:?\d\d)$/i;

/**
 * Converts a time of the service to milliseconds since the epoch; returns NaN for anything else. A date-time without a zone
 * is in UTC, like all times of the service; Date.parse would assume the time zone of n8n.
 */
export function serviceTime(value: unknown): number {
	if (typeof value !== 'string') return NaN;
	return Date.parse(value.includes('T') && !HAS_ZONE.test(value) ? `${value}Z` : value);
}
