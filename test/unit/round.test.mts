import { round } from '../../nodes/shared/round.ts';

test.each([
	[0.5, 0, 1],
	[-0.5, 0, -1],
	[62.5, 0, 63],
	[-62.5, 0, -63],
	[0.4999, 0, 0],
	[1.005, 2, 1.01],
	[1.255, 2, 1.26],
	[-1.255, 2, -1.26],
	[7 / 3, 2, 2.33],
	[2 / 3, 4, 0.6667],
	[1e9 + 0.005, 2, 1000000000.01],
	[0, 2, 0],
])('rounds %d to %d decimals: %d', (value, digits, rounded) => {
	expect(round(value, digits)).toBe(rounded);
});

test.each([-0, -0.004, -1e-9, -1 / 300])('rounds %d to 0, not to −0', (value) => {
	expect(round(value, 2)).toBe(0);
	expect(round(value)).toBe(0);
});
