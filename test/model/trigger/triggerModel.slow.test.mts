import fc, { runs } from '../../kit/property.mts';
import { examples, historyParts } from './histories.mts';
import { judge } from './judge.mts';
import { limitsOf } from './limits.mts';
import { play } from './run.mts';
import { occurrences } from './service.mts';

/** How many random histories `npm test` plays on each n8n line. */
const HISTORIES = 100;

/** How many histories each limit excused. `OCCURRENCES=1` shows it, and how often each thing occurred. */
const excused = new Map<string, number>();

test('emits each event once, nothing that was there before, and loses nothing while published', async () => {
	const property = fc.asyncProperty(...historyParts, async (...parts) => {
		const history = await play(...parts);
		const used = new Set<string>();
		const limitOf = limitsOf(history);
		const faults = judge(history).filter((hole) => {
			const limit = limitOf(hole);
			if (limit) used.add(limit);
			return !limit;
		});
		for (const name of used) excused.set(name, (excused.get(name) ?? 0) + 1);
		const lines = faults.map(({ kind, act, text }) =>
			[kind, act.campaign.id, act.event, act.row?.id, new Date(act.at).toISOString(), text].join(
				' ',
			),
		);
		const wrong = [...history.wrong, ...lines];
		if (wrong.length > 0) throw new Error(wrong.slice(0, 10).join('\n'));
	});
	await fc.assert(property, { examples, numRuns: examples.length + runs(HISTORIES) });
	if (process.env.OCCURRENCES)
		console.log(JSON.stringify(Object.fromEntries([...occurrences, ...excused]), null, '\t'));
}, 600_000);
