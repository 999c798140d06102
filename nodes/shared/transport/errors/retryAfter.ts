/** Matches the beginning of a date: a day of the week, as in HTTP, or a date like 2026-01-31, as in JSON. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\d)/i;

/**
 * Returns the wait that the header `Retry-After` requests. The header contains seconds or a date (RFC 9110, 10.2.3).
 *
 * @param headers in lower case, as n8n returns them
 * @returns milliseconds from now; undefined if the header is missing or invalid
 */
export function retryAfterMs(headers: unknown): number | undefined {
	if (typeof headers !== 'object' || headers === null || !('retry-after' in headers))
		return undefined;
	const { 'retry-after': header } = headers;
	if (typeof header !== 'string') return undefined;
	const asked = header.trim();
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	// JavaScript parses nearly any text with a number as a date: "in 3 s" becomes a day in 2001.
	const until = DATE.test(asked) ? Date.parse(asked) : NaN;
	return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}
