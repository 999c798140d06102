import fc from 'fast-check';

/** How many times as often as in `npm test` a property is tried: ten times each night, a fifth in `npm run test:quick`. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

/** One property takes no longer than this, in milliseconds; what it has found by then counts. */
const LONGEST = 100_000;

if (times > 1) jest.setTimeout(LONGEST + 20_000);

// The seed of this run (test/kit/seed.cjs): what a property test finds, it finds again.
fc.configureGlobal({
	seed: Number(process.env.PROPERTY_SEED),
	numRuns: runs(100),
	interruptAfterTimeLimit: LONGEST,
});

/** How often a property is tried that `npm test` tries `count` times. */
export function runs(count: number): number {
	return Math.ceil(count * times);
}

/** Any character but halves of one. fast-check has it as unit "binary", which takes seconds to be made. */
export const anyCharacter = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

export default fc;
