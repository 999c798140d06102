import type { SurveyRow } from '../MessagingService/shared/surveyData';
import type { Fingerprint } from './hash';
import { addFingerprint, hashText } from './hash';

const BY_USER: Readonly<Fingerprint> = { high: 0x6d736701, low: 1 };
const BY_CONTENT: Readonly<Fingerprint> = { high: 0x6d736702, low: 2 };

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
		const seed = seedOf(name);
		if (seed !== null) addValue(row[name], seed, into);
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
	const opened = without((name) => name === 'submittedDate' || isAnswer(name));
	return [answered, opened].map((earlier) => {
		const key: Fingerprint = { high: 0, low: 0 };
		keyOfContent(earlier, key);
		return key;
	});
}

const IDENTIFYING = new Set(['userEmail', 'userDisplayName', 'submittedDate']);

/**
 * Seeds by name, null for what is no content: the names are the same in all rows. Cleared when something makes up ever
 * new ones.
 */
const seeds = new Map<string, Readonly<Fingerprint> | null>();
const MOST_SEEDS = 10_000;

function isAnswer(name: string): boolean {
	return name.startsWith('q.');
}

function seedOf(name: string): Readonly<Fingerprint> | null {
	const known = seeds.get(name);
	if (known !== undefined) return known;
	const isContent = isAnswer(name) || IDENTIFYING.has(name);
	const seed = isContent ? seedFrom(name, BY_CONTENT) : null;
	if (seeds.size >= MOST_SEEDS) seeds.clear();
	seeds.set(name, seed);
	return seed;
}

function seedFrom(name: string, outer: Readonly<Fingerprint>): Fingerprint {
	const seed: Fingerprint = { high: 0, low: 0 };
	hashText(name, outer, seed);
	return seed;
}

/**
 * Adds the fingerprint of a value; sums do not depend on the order of fields. A blank value counts as none, because the
 * service may leave an empty field out or send it as null.
 */
function addValue(value: unknown, seed: Readonly<Fingerprint>, sum: Fingerprint): void {
	if (value === undefined || value === null) return;
	if (typeof value === 'object') {
		// An array's places count like names.
		for (const [name, inner] of Object.entries(value)) addValue(inner, seedFrom(name, seed), sum);
		return;
	}
	// A number is not the text of that number.
	hashText(typeof value === 'string' ? value : `\0${String(value)}`, seed, field);
	addFingerprint(sum, field);
}
