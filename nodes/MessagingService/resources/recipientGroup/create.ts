import { textArea } from '../../../shared/fieldTypes';
import { toList } from '../../../shared/values';
import { additionalFields } from '../../fields/collections';
import { inBody, optional } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { groupName } from './groupName';

/** POST /int/v1/recipientGroup */
export const create: Operation = {
	description: 'Create a recipient group, empty or with members',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	fields: [
		groupName,
		additionalFields([
			textArea(
				'leads',
				'IDs of the first members, separated by commas, semicolons or new lines, or a list from an expression. To add people by email, use "Add Recipients".',
				{ routing: inBody('leads', optional(toList, 'omit')) },
			),
		]),
	],
};
