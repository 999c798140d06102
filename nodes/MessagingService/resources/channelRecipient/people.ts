import type { INodeProperties } from 'n8n-workflow';

import type { FieldInfo } from '../../../shared/field';
import { loadedField, textArea } from '../../../shared/fieldTypes';
import { additionalFields } from '../../fields/collections';
import { inBody, optional } from '../../engine/conversions';
import type { Check } from '../../engine/declaration';
import { toPeople } from '../../../shared/email';
import { toList } from '../../../shared/values';
import { conditionsIn } from './conditions';

const recipients = textArea(
	'recipients',
	'Emails, usernames, service IDs or HR system IDs, separated by commas, semicolons or new lines. An expression can also return a list. Required unless you add groups or conditions under Additional Fields.',
	{
		placeholder: 'e.g. ada@example.com, grace@example.com',
		routing: inBody('recipients', optional(toPeople)),
	},
);

/** Matches JSON without any value, such as `{}` and `[{}]`. */
const EMPTY_CONDITION = /^(null|[\s{}[\](),:"'])+$/;

const groupsAndConditions: INodeProperties = {
	...additionalFields([
		loadedField(
			'multiOptions',
			'lists',
			'Recipient Group',
			'getRecipientGroups',
			'The operation also applies to members of these groups.',
		),
		textArea(
			'conditions',
			'The operation also applies to users who match these conditions. Write one condition per line, or use an expression that returns a list. The service does not document the syntax. Ask the support of the service, and test with an unused channel.',
			{ routing: inBody('conditions', optional(nonEmptyConditions, 'omit')) },
		),
	]),
	description: 'The operation also applies to people whom you select here',
};

/** Reads the conditions of a text or a list. @throws for an empty condition */
function nonEmptyConditions(value: unknown, field: FieldInfo): string[] {
	// Text is split only at new lines. A condition that is cut at its comma could match other people.
	const given = typeof value === 'string' ? conditionsIn(value, field) : value;
	const conditions = toList(given, field);
	if (!conditions.some((one) => EMPTY_CONDITION.test(one))) return conditions;
	throw field.fail(
		`${field.label} contains an empty condition`,
		'It might select everybody. Remove it, or check the expression. Nothing was sent.',
	);
}

/** The fields that select the people to add or remove (channelRecipient.add in emulator/openapi.yaml). */
export const people = [recipients, groupsAndConditions];

/**
 * Fails if neither recipients nor groups nor conditions are given. The API does not document this case, and the service
 * might remove everybody.
 */
export const atLeastOneSelection: Check = (_item, body, fail) => {
	if (Object.keys(body).length > 0) return;
	throw fail(
		'No recipients are selected',
		'Fill in Recipients, add recipient groups or conditions under Additional Fields, or check the expressions. Nothing was sent, because the API does not document the effect of an empty selection.',
	);
};
