import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { fieldsIn, normalizeName } from '../../shared/values';
import type { SyncRun } from './parameters';
import type { Target } from './types';

/**
 * Fails if an earlier run of this node in this execution mirrored one of the targets with other people: each run would remove
 * the people of the other. The context of the node belongs to the execution. All tries of Retry On Fail have the same run
 * index (n8n-core 1.122.48 and 2.41.1).
 *
 * @param targets the targets, which were read before, so that their names are known
 */
export function checkEarlierRuns(
	context: IExecuteFunctions,
	{ fail, targetKind: { word } }: SyncRun,
	targets: Target[],
): void {
	const stored: IDataObject = context.getContext('node');
	const mirrored = fieldsIn(stored.mirrored);
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	for (const { id, name = '', recipients } of targets.filter((one) => one.recipients.length > 0)) {
		// n8n stores the context, so it contains no addresses.
		const keys = recipients.map(({ key }) => key).sort();
		const people = createHash('sha256').update(keys.join()).digest('hex');
		const byName = `name ${normalizeName(name)}`;
		// An earlier run may have created the target.
		const earlier = fieldsIn(mirrored[id] ?? mirrored[byName]);
		if (
			earlier.people !== undefined &&
			earlier.people !== people &&
			earlier.runIndex !== runIndex
		) {
			throw fail(
				`This node has already mirrored the ${word} "${name || id}" with other people in this execution. Merge first`,
				`Mirror removes everybody whom the items of this run do not name, so each run would remove the people of the other. The earlier run may already have removed people, up to Maximum Removal (%). Nothing was changed in this run. Merge all branches into one before this node, take it out of the loop, and run the workflow again. To sync the ${word} a second time on purpose, for example after a Wait, use a second node.`,
			);
		}
		mirrored[id || byName] = { people, runIndex };
	}
	stored.mirrored = mirrored;
}
