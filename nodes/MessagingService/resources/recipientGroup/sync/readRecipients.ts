import { EMAIL } from '../../../../shared/values';

export type IdentifyBy = 'email' | 'id';

/** A recipient to sync. Input items with the same `key` are one recipient. */
export type Recipient = {
	/** Identifies the recipient: the email in lower case, or the ID. */
	key: string;
	/** The email or ID to send, in upper and lower case as in the input. */
	value: string;
};

/** The recipient of one input item, or its problem. */
export type InputRecipient =
	| { itemIndex: number; recipient: Recipient }
	| {
			itemIndex: number;
			given: string;
			status: 'invalid' | 'duplicate';
			reason: string;
			/** Whether the item has a value that cannot be read as a recipient; false if the value is empty. */
			unreadable?: boolean;
	  };

/** Matches a blank text and placeholders for an empty value. */
const NOTHING = /^(-+|n\/a|none)?$/i;

/** Matches zero-width characters, which text copied from other programs may contain. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/** Matches a record ID, which is one word (path parameters in emulator/openapi.yaml). */
const ID = /^[^\s,;<>"]+$/;

/**
 * Reads the recipients of all input items. Blank, malformed and duplicate ones are found here and never sent.
 *
 * @param values the value of Recipient for each input item
 * @param groupOf the group of each item; a recipient is a duplicate only within a group
 * @returns one entry per item, in input order
 */
export function readRecipients(
	values: unknown[],
	identifyBy: IdentifyBy,
	groupOf: number[] = [],
): InputRecipient[] {
	const firstItemOf = new Map<string, number>();
	return values.map((value, itemIndex): InputRecipient => {
		const written = textOf(value);
		const given = identifyBy === 'email' ? addressIn(written) : written;
		const isNothing = NOTHING.test(written);
		const reason = isNothing
			? `The item has no ${label(identifyBy)}`
			: problemWith(value, given, identifyBy);
		if (reason) {
			return { itemIndex, given: written, status: 'invalid', reason, unreadable: !isNothing };
		}

		// The service ignores upper and lower case in emails (recipientGroup.addRecipients in emulator/openapi.yaml).
		const key = identifyBy === 'email' ? given.toLowerCase() : given;
		const place = `${groupOf[itemIndex] ?? ''} ${key}`;
		const first = firstItemOf.get(place);
		if (first !== undefined) {
			return {
				itemIndex,
				given,
				status: 'duplicate',
				reason: `The same recipient as in item ${first}`,
			};
		}
		firstItemOf.set(place, itemIndex);
		return { itemIndex, recipient: { key, value: given } };
	});
}

/** Returns the recipients of the input items. A recipient of several groups is returned only once. */
export function recipientsOf(input: InputRecipient[]): Recipient[] {
	const found = input.flatMap((entry) => ('recipient' in entry ? [entry.recipient] : []));
	return unique(found);
}

/** Returns the recipients without duplicates. Of equal recipients, keeps the last one, at the position of the first. */
export function unique(recipients: Recipient[]): Recipient[] {
	return [...new Map(recipients.map((recipient) => [recipient.key, recipient])).values()];
}

function problemWith(value: unknown, given: string, identifyBy: IdentifyBy): string | undefined {
	if (typeof value === 'object') {
		return `A list or an object instead of one ${label(identifyBy)}. Split the list into items before this node`;
	}
	if ((identifyBy === 'email' ? EMAIL : ID).test(given)) return undefined;
	return identifyBy === 'email' ? 'Not an email address' : 'Not a recipient ID';
}

/** Returns the address in "Anna <anna@example.com>", "mailto:anna@example.com" or "anna@example.com;". */
function addressIn(written: string): string {
	const text = written.replace(INVISIBLE, '').trim();
	const inBrackets = /^[^<>@]*<([^<>]*)>[,;.]?$/.exec(text)?.[1] ?? text;
	const address = inBrackets.trim().replace(/^mailto:/i, '');
	return address
		.replace(/[,;.]$/, '')
		.trim()
		.replace(/^"([^"\s@]+)"@/, '$1@');
}

function label(identifyBy: IdentifyBy): string {
	return identifyBy === 'email' ? 'email address' : 'recipient ID';
}

function textOf(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}
