import assert from 'node:assert/strict';
import type { ErrorSetting } from '../../../sandbox/examples/outcomeUnknown.mts';
import type { Execution } from '../../../sandbox/n8n/n8n-rest.mts';

export const errorSettings: ErrorSetting[] = ['continueRegularOutput', 'continueErrorOutput'];

/** Checks that the IF node found the item with an unknown outcome, and that each error is still a text. */
export function checkBranches(execution: Execution, onError: ErrorSetting): void {
	assert.equal(execution.status, 'success', execution.error);
	const errorsAt = (node: string) => execution.items(node).map(({ json }) => json.error);
	const [unknown, ...others] = errorsAt('Check by hand');
	assert.match(String(unknown), /connection broke/);
	assert.deepEqual(others, []);
	assert.deepEqual(
		errorsAt('Known outcome'),
		onError === 'continueErrorOutput' ? ['No'] : ['No', undefined],
	);
}
