/**
 * How long the header `Retry-After` asks to wait, seconds or a date (RFC 9110, 10.2.3).
 *
 * @param headers in lower case, as n8n gives them
 * @returns milliseconds from now; undefined without a header that can be read
 */
export function retryAfterMs(headers: unknown): number | undefined {
	if (typeof headers !== 'object' || headers === null || !('retry-after' in headers))
		return undefined;
	const { 'retry-after': header } = headers;
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
