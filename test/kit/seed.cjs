const { randomInt } = require('node:crypto');

const FIXED = 20260131;

/**
 * Chooses one seed for all property tests of a run: the number in PROPERTY_SEED, or a fixed number by default. For
 * `PROPERTY_SEED=random`, as in the nightly run, chooses a random seed and prints it, so that anyone can repeat the run.
 */
module.exports = function chooseSeed() {
	const wanted = process.env.PROPERTY_SEED ?? String(FIXED);
	if (wanted !== 'random') {
		if (!/^-?\d+$/.test(wanted))
			throw new Error(`PROPERTY_SEED is "${wanted}": a number or random`);
		process.env.PROPERTY_SEED = wanted;
		return;
	}
	// All jest projects of the run read the seed from here.
	process.env.PROPERTY_SEED = String(randomInt(2 ** 31));
	console.log(`Property tests with PROPERTY_SEED=${process.env.PROPERTY_SEED}`);
};
