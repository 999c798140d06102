import fc, { runs } from '../../kit/property.mts';
import { examples, historyParts } from './histories.mts';
import { judge } from './judge.mts';
import { limitsOf } from './limits.mts';
import { play } from './run.mts';

/** How many random histories a run plays: `npm test` on n8n 2, the nightly run on n8n 1, too. */
const HISTORIES = 100;

test('emits each event once, nothing that was there before, and loses nothing while published', async () => {
	const failures: string[] = [];
	const random = fc.sample(fc.tuple(...historyParts), runs(HISTORIES));
	for (const parts of [...examples, ...random]) {
		const history = await play(...parts);
		const limitOf = limitsOf(history);
		const holes = judge(history).map((hole) => ({ ...hole, limit: limitOf(hole) }));
		const faults = holes.flatMap(({ limit, kind, act, text }) => {
			const at = new Date(act.at).toISOString();
			return limit ? [] : [[kind, act.campaign.id, act.event, act.row?.id, at, text].join(' ')];
		});
		const wrong = [...history.wrong, ...faults].slice(0, 10);
		if (wrong.length > 0) failures.push([...wrong, JSON.stringify(parts)].join('\n'));
	}
	expect(failures.slice(0, 10)).toEqual([]);
}, 600_000);
