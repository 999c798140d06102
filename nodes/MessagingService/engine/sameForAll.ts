import type { IExecuteFunctions } from 'n8n-workflow';

import { forEachWithBreaks } from '../../shared/concurrency';
import { failure } from '../../shared/failure';
import { fieldLabel } from '../../shared/field';
import { hasExpression } from './item';

/**
 * Checks that expressions return the same value for all input items, in an operation that takes all items at once.
 *
 * @param names the parameters to check
 * @param advice what to do if a value differs
 * @throws for the first item with another value than item 0
 */
export async function checkSameForAll(
	context: IExecuteFunctions,
	names: string[],
	advice: string,
): Promise<void> {
	const { parameters } = context.getNode();
	for (const name of names) {
		// Only an expression differs between items.
		if (!hasExpression(parameters[name])) continue;
		const read = (itemIndex: number) => JSON.stringify(context.getNodeParameter(name, itemIndex));
		const first = read(0);
		await forEachWithBreaks(context.getInputData(), (_item, itemIndex) => {
			const other = read(itemIndex);
			if (other === first) return;
			throw failure(context, itemIndex)(
				`${fieldLabel(name)} differs between the input items: ${first} in item 0, ${other} in item ${itemIndex}`,
				advice,
			);
		});
	}
}
