const { randomInt } = require('node:crypto');

const FIXED = 20260131;

/**
 * The seed of all property tests of a run: fixed unless PROPERTY_SEED holds another number, or
 * `random`, as the nightly run sets it. The number drawn is printed: with it the run can be repeated.
 */
module.exports = function chooseSeed() {
	const wanted = process.env.PROPERTY_SEED ?? String(FIXED);
	if (wanted !== 'random') {
		if (!/^-?\d+$/.test(wanted))
			throw new Error(`PROPERTY_SEED is "${wanted}": a number or random`);
		process.env.PROPERTY_SEED = wanted;
		return;
	}
	// Set before the next project asks: one seed for the whole run.
	process.env.PROPERTY_SEED = String(randomInt(2 ** 31));
	console.log(`Property tests with PROPERTY_SEED=${process.env.PROPERTY_SEED}`);
};
