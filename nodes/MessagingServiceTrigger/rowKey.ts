import type { SurveyRow } from '../MessagingService/shared/surveyData';
import type { Fingerprint } from './hash';
import { addFingerprint, hashText } from './hash';

const BY_USER = 0x6d736701;
const BY_CONTENT = 0x6d736702;

const field: Fingerprint = { high: 0, low: 0 };

/** The id by which a row is known; none in an anonymous survey or where the service gives none. */
export function userIdOf(row: SurveyRow, anonymous: boolean): string | undefined {
	if (anonymous) return undefined;
	const { userId } = row;
	if (typeof userId === 'string') return userId === '' ? undefined : userId;
	return typeof userId === 'number' ? String(userId) : undefined;
}

/** The key of a row with a user id: the id alone, so that the row may change in any other way. */
export function keyOfUser(userId: string, into: Fingerprint): void {
	hashText(userId, BY_USER, into);
}

/**
 * The key of a row without a user id: its content, without what changes while one and the same response goes on (the
 * three flags, the duration). The time of submission is part of it: it tells equal answers apart, so that a row that
 * vanishes while an equal one comes hides nothing. Fields that are not documented stay out: one that changes with time
 * would make every row news again and again.
 */
export function keyOfContent(row: SurveyRow, into: Fingerprint): void {
	into.high = 0;
	into.low = 0;
	for (const name in row) {
		if (name.startsWith('q.') || IDENTIFYING.has(name)) addField(name, row[name], into);
	}
}

/**
 * The keys that a row without a user id may have had earlier in its life: answered and not yet submitted, and opened
 * and not yet answered.
 */
export function earlierKeysOfContent(row: SurveyRow): Fingerprint[] {
	const without = (isLeftOut: (name: string) => boolean) =>
		Object.fromEntries(Object.entries(row).filter(([name]) => !isLeftOut(name)));
	const answered = without((name) => name === 'submittedDate');
	const opened = without((name) => name === 'submittedDate' || name.startsWith('q.'));
	return [answered, opened].map((earlier) => {
		const key: Fingerprint = { high: 0, low: 0 };
		keyOfContent(earlier, key);
		return key;
	});
}

const IDENTIFYING = new Set(['userEmail', 'userDisplayName', 'submittedDate']);

function addField(name: string, value: unknown, sum: Fingerprint): void {
	// The service may leave an empty field out or send it as null: both are one.
	if (value === undefined || value === null) return;
	hashText(`${name}\n${typeof value}\n${canonical(value)}`, BY_CONTENT, field);
	addFingerprint(sum, field);
}

/** A value as text that does not depend on the order of an object's keys. */
function canonical(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	return JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}
