import fc from '../kit/property.mts';
import { useService } from '../kit/service.mts';
import { histories, historian, HISTORY_SEED } from '../kit/syncHistories.mts';

const service = useService(HISTORY_SEED);
const { lies, dryRunLies, contradictions } = historian(service);

test('every word is true, whatever the service does', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			expect(await lies(history)).toEqual([]);
		}),
		{ numRuns: 300 },
	);
}, 600_000);

test('a dry run changes nothing and says what is so, whatever the service does', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			expect(await dryRunLies(history)).toEqual([]);
		}),
		{ numRuns: 60 },
	);
}, 600_000);

test('dry run, each recipient and summary say the same of the same world', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			fc.pre(history.shown === null);
			fc.pre(history.identifyBy === 'id' || history.switches.unknownEmails !== 'ignore');
			expect(await contradictions(history)).toEqual([]);
		}),
		{ numRuns: 60 },
	);
}, 600_000);
