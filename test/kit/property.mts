import fc from 'fast-check';

/** The factor for the number of runs of a property: 1 in `npm test`, 10 nightly, 0.2 in `npm run test:quick`. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

// In the nightly run, a property test takes minutes.
if (times > 1) jest.setTimeout(600_000);

// Each run has a seed (test/kit/globalSetup.cjs), so that failures are reproducible.
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

/** The most failing worlds that a report shows. */
const MOST_SHOWN = 10;

/**
 * Plays random worlds to the end, whatever fails, so that one run shows all that is wrong. Then shrinks the first world
 * that failed.
 *
 * @param play returns a sentence for each broken promise
 * @returns the number and the sentences of each world that failed
 */
export async function failingWorlds<World>(
	worlds: fc.Arbitrary<World>,
	count: number,
	play: (world: World) => Promise<string[]>,
	examples: World[] = [],
): Promise<string[]> {
	const failing: number[] = [];
	const report: string[] = [];
	let number = 0;
	const playing = fc.asyncProperty(worlds, async (world) => {
		const found = await play(world);
		if (found.length > 0) {
			failing.push(number);
			report.push(`world ${number}: ${found.join('\n')}`);
		}
		number++;
	});
	const given = examples.map((world): [World] => [world]);
	await fc.assert(playing, { numRuns: count, examples: given });
	const [first] = failing;
	if (first === undefined) return [];
	const throwing = fc.asyncProperty(worlds, async (world) => {
		const found = await play(world);
		if (found.length > 0) throw new Error(found.join('\n'));
	});
	const path = String(first);
	const parameters = { numRuns: count, examples: given, path, interruptAfterTimeLimit: 60_000 };
	const shrunk = await fc.check(throwing, parameters);
	return [
		`${report.length} worlds failed`,
		...report.slice(0, MOST_SHOWN),
		fc.defaultReportMessage(shrunk) ?? '',
	];
}

/** Generates any character except lone surrogates. fast-check's unit "binary" is as good, but takes seconds to build. */
export const anyCharacter = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

export default fc;
