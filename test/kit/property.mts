import fc from 'fast-check';

/** The factor for the number of runs: 1 in `npm test`, 10 in the nightly run, 0.2 in `npm run test:quick`. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

// In the nightly run, a property test takes minutes.
if (times > 1) jest.setTimeout(600_000);

// The seed of this run (test/kit/seed.cjs) makes failures reproducible.
fc.configureGlobal({
	seed: Number(process.env.PROPERTY_SEED),
	numRuns: runs(100),
	// Nobody reads the failure that a mutant causes.
	endOnFailure: process.env.MUTATION !== undefined,
});

/** Returns how often this run tests a property that `npm test` tests `count` times. */
export function runs(count: number): number {
	return Math.ceil(count * times);
}

/** Any character except lone surrogates. fast-check's unit "binary" does the same, but takes seconds to build. */
export const anyCharacter = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

export default fc;
