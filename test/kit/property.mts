import fc from 'fast-check';

/** The factor for the number of runs of a property: 1 in `npm test`, 10 nightly, 0.2 in `npm run test:quick`. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

// In the nightly run, a property test takes minutes.
if (times > 1) jest.setTimeout(600_000);

// Each run has a seed (test/kit/seed.cjs), so that failures are reproducible.
fc.configureGlobal({
	seed: Number(process.env.PROPERTY_SEED),
	numRuns: runs(100),
	// A failure that a mutant causes is not shrunk, because nobody reads it, and a case that never ends fails.
	...(process.env.MUTATION !== undefined && { endOnFailure: true, timeout: 15_000 }),
});

/** Returns how many times this run checks a property. In `npm test`, this is `count`. */
export function runs(count: number): number {
	return Math.ceil(count * times);
}

/** Generates any character except lone surrogates. fast-check's unit "binary" is as good, but takes seconds to build. */
export const anyCharacter = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

export default fc;
