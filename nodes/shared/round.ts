/**
 * Rounds as people do: 2.5 → 3, −2.5 → −3, and with two digits 1.255 → 1.26.
 *
 * @param digits decimals to keep
 */
export function round(value: number, digits = 0): number {
	const factor = 10 ** digits;
	// 1.255 * 100 is 125.49999999999999, but 15 digits are exact.
	const scaled = Number((Math.abs(value) * factor).toPrecision(15));
	// Adding 0 turns −0 into 0.
	return (Math.sign(value) * Math.round(scaled)) / factor + 0;
}
