/**
 * Rounds as people do: halves away from zero, by the decimal digits that are shown, and never to −0.
 *
 * @param digits decimals to keep
 */
export function round(value: number, digits = 0): number {
	const factor = 10 ** digits;
	// 1.255 * 100 is 125.49999999999999, but 15 digits are exact.
	const scaled = Number((Math.abs(value) * factor).toPrecision(15));
	return (Math.sign(value) * Math.round(scaled)) / factor + 0;
}
