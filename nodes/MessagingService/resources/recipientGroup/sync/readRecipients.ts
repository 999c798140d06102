import { EMAIL, isBlank } from '../../../../shared/values';

export type IdentifyBy = 'email' | 'id';

/** Somebody to sync, once however often the input names them. */
export type Recipient = {
	/** What tells recipients apart: the email in lower case, or the ID. */
	key: string;
	/** As the input has it, trimmed; this is sent. */
	value: string;
};

/** What one input item names. */
export type InputRecipient =
	| { itemIndex: number; recipient: Recipient }
	| {
			itemIndex: number;
			given: string;
			status: 'invalid' | 'duplicate';
			reason: string;
			/** Set where the item names somebody who cannot be told from what is written. */
			unreadable?: boolean;
	  };

/** What people write where they have nothing to write. */
const NOTHING = /^(-+|n\/a|none)$/i;

/** Characters without a width, which copying from other programs brings along. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/** Record IDs are one word (path parameters in emulator/openapi.yaml). */
const ID = /^[^\s,;<>"]+$/;

/**
 * Reads the recipients of all input items: blank and malformed ones and repeats are found here and never sent.
 *
 * @param values what the Recipient parameter gives for each input item
 * @param groupOf which group each item names: only within a group is somebody a repeat
 * @returns one entry an item, in the items' order
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
		const problem = problemWith(value, given, identifyBy);
		if (problem) {
			const unreadable = !isNothing(value);
			return { itemIndex, given: written, status: 'invalid', reason: problem, unreadable };
		}

		// The service compares emails without case (recipientGroup.addRecipients in emulator/openapi.yaml).
		const key = identifyBy === 'email' ? given.toLowerCase() : given;
		const place = `${groupOf[itemIndex] ?? ''} ${key}`;
		const first = firstItemOf.get(place);
		if (first !== undefined) {
			return { itemIndex, given, status: 'duplicate', reason: `The same as in item ${first}` };
		}
		firstItemOf.set(place, itemIndex);
		return { itemIndex, recipient: { key, value: given } };
	});
}

/** The recipients of all input items that name one, each once, also if several groups have them. */
export function recipientsOf(input: InputRecipient[]): Recipient[] {
	const found = input.flatMap((entry) => ('recipient' in entry ? [entry.recipient] : []));
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

function problemWith(value: unknown, given: string, identifyBy: IdentifyBy): string | undefined {
	if (isNothing(value)) return `The item has no ${label(identifyBy)}`;
	if (typeof value === 'object') {
		return `A list or an object instead of one ${label(identifyBy)}. Split the list into items before this node`;
	}
	if ((identifyBy === 'email' ? EMAIL : ID).test(given)) return undefined;
	return identifyBy === 'email' ? 'Not an email address' : 'Not a recipient ID';
}

function isNothing(value: unknown): boolean {
	return isBlank(value) || (typeof value === 'string' && NOTHING.test(value.trim()));
}

/** The address in "Anna <anna@example.com>", "mailto:anna@example.com" or "anna@example.com;". */
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
