/** How a date begins: with the day of the week, as HTTP has it, or with the year, as JSON has it. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\d)/i;

/**
 * How long the header `Retry-After` asks to wait, seconds or a date (RFC 9110, 10.2.3).
 *
 * @param headers in lower case, as n8n gives them
 * @returns milliseconds from now; undefined without a header that can be read: what is neither a number nor a date
 */
export function retryAfterMs(headers: unknown): number | undefined {
	if (typeof headers !== 'object' || headers === null || !('retry-after' in headers))
		return undefined;
	const { 'retry-after': header } = headers;
	if (typeof header !== 'string') return undefined;
	const asked = header.trim();
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	// JavaScript takes nearly any text with a number for a date: "in 3 s" is one in 2001.
	const until = DATE.test(asked) ? Date.parse(asked) : NaN;
	return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}
