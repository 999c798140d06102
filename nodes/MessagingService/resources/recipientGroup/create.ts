import { textArea } from '../../../shared/fieldTypes';
import { listIn, toList } from '../../../shared/values';
import { additionalFields } from '../../fields/collections';
import { inBody, optional } from '../../engine/conversions';
import type { Check, Operation } from '../../engine/declaration';
import { groupName } from './groupName';

/** POST /int/v1/recipientGroup */
export const create: Operation = {
	description: 'Create a recipient group, optionally with members',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	checks: [warnOfMissingMembers],
	fields: [
		groupName,
		additionalFields([
			textArea(
				'leads',
				'IDs of the members, separated by commas, semicolons or new lines. An expression can also return a list. To add people by email, use "Add Recipients" afterwards.',
				{ routing: inBody('leads', optional(toList, 'omit')) },
			),
		]),
	],
};

/** Warns if the members are those of a group in the input item that shows only some of its members. */
function warnOfMissingMembers(...[item, { leads }]: Parameters<Check>): void {
	const { leads: shown, leadsTotal } = item.getInputData().json;
	const { length } = listIn(leads);
	if (length === 0 || length !== listIn(shown).length || !(Number(leadsTotal) > length)) return;
	item.run.warn(
		`Item ${item.getItemIndex()}: the new group gets ${length} members, but the group in the input has ${String(leadsTotal)}. The service shows only some of them`,
	);
}
