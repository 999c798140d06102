import fc from '../kit/property.mts';
import { useService } from '../kit/service.mts';
import { historian, HISTORY_SEED } from '../kit/syncHistories.mts';

const { promises } = historian(useService(HISTORY_SEED));

test.each(promises)(
	'$promise',
	async ({ property, runs }) => {
		await fc.assert(property, { numRuns: runs });
	},
	600_000,
);
