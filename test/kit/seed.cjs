const { randomInt } = require('node:crypto');

const FIXED = 20260131;

/**
 * Chooses the seed of all property tests of a run: fixed unless PROPERTY_SEED contains another number or `random`, as in
 * the nightly run. Prints a random seed, so that the run can be repeated.
 */
module.exports = function chooseSeed() {
	const wanted = process.env.PROPERTY_SEED ?? String(FIXED);
	if (wanted !== 'random') {
		if (!/^-?\d+$/.test(wanted))
			throw new Error(`PROPERTY_SEED is "${wanted}": a number or random`);
		process.env.PROPERTY_SEED = wanted;
		return;
	}
	// Set for the other projects, so that the whole run uses one seed.
	process.env.PROPERTY_SEED = String(randomInt(2 ** 31));
	console.log(`Property tests with PROPERTY_SEED=${process.env.PROPERTY_SEED}`);
};
