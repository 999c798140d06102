/**
 * Random histories of the trigger until one breaks its word, which is then shrunk and printed with its seed. Needs a built
 * package. SEED= repeats a run, RUNS= says how many histories.
 */
import '../kit/setup.cjs';

import { randomInt } from 'node:crypto';

import fc from 'fast-check';

import { everyHistoryKeepsItsWord } from '../kit/triggerHistories.mts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
const numRuns = Number(process.env.RUNS ?? 2000);
console.log(`Histories of the trigger: SEED=${seed} RUNS=${numRuns}`);
await fc.assert(everyHistoryKeepsItsWord, { seed, numRuns });
console.log(`${numRuns} histories kept their word.`);
