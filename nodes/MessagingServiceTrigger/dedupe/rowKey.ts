import { isDataObject } from '../../shared/typeGuards';
import { isAnswer, type SurveyRow } from '../../shared/surveyData';
import type { Fingerprint } from './hash';
import { addFingerprint, hashNumber, hashText } from './hash';

const BY_USER: Readonly<Fingerprint> = { high: 0x6d736701, low: 1 };
const BY_CONTENT: Readonly<Fingerprint> = { high: 0x6d736702, low: 2 };

const part: Fingerprint = { high: 0, low: 0 };

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
		const place = placeOf(name);
		if (place !== null) addValue(row[name], place, into);
	}
}

/**
 * The keys that a row without a user id may have had before it was submitted: opened, and after each of its questions in
 * their order, which is how a survey is answered step by step.
 *
 * @returns the latest stage first
 */
export function earlierKeysOfContent(row: SurveyRow): Fingerprint[] {
	const sum: Fingerprint = { high: 0, low: 0 };
	const answers: Array<{ name: string; place: Place }> = [];
	for (const name in row) {
		const place = placeOf(name);
		if (place === null || name === 'submittedDate') continue;
		if (isAnswer(name)) answers.push({ name, place });
		else addValue(row[name], place, sum);
	}
	const keys: Fingerprint[] = [{ ...sum }];
	for (const { name, place } of answers.sort(byNumber)) {
		addValue(row[name], place, sum);
		keys.push({ ...sum });
	}
	return keys.reverse();
}

function byNumber({ name: a }: { name: string }, { name: b }: { name: string }): number {
	// Not by language: what was saved in one process is looked up in another.
	return a.length - b.length || (a < b ? -1 : 1);
}

const IDENTIFYING = new Set(['userEmail', 'userDisplayName', 'submittedDate']);

/** Where a value stands in a row, as the seed of its hash. */
class Place implements Fingerprint {
	high = 0;

	low = 0;

	private readonly inner = new Map<string | number, Place>();

	constructor(name: string, outside: Readonly<Fingerprint>) {
		hashText(name, outside, this);
	}

	/** A place inside it: the field of an object by its name, or the entry of a list by its index. */
	at(key: string | number): Place {
		return kept(this.inner, key, () => new Place(typeof key === 'number' ? `[${key}]` : key, this));
	}
}

/** The fields of rows, null for those that are no content. */
const fields = new Map<string, Place | null>();

function placeOf(name: string): Place | null {
	return kept(fields, name, () =>
		isAnswer(name) || IDENTIFYING.has(name) ? new Place(name, BY_CONTENT) : null,
	);
}

/** Places are the same in all rows; this many are kept of each kind, in case something makes up ever new ones. */
const MOST_PLACES = 1000;

/** What is there under a key; made when it is not, and kept as long as there is room. */
function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
	const found = known.get(key);
	if (found !== undefined) return found;
	const made = make();
	if (known.size < MOST_PLACES) known.set(key, made);
	return made;
}

/**
 * Adds the fingerprint of a value; sums do not depend on the order of fields. A blank value counts as none, because the
 * service may leave an empty field out or send it as null.
 */
function addValue(value: unknown, place: Place, sum: Fingerprint): void {
	if (value === undefined || value === null) return;
	if (Array.isArray(value)) {
		const items: unknown[] = value;
		for (let index = 0; index < items.length; index++) addValue(items[index], place.at(index), sum);
		return;
	}
	if (isDataObject(value)) {
		for (const name in value) addValue(value[name], place.at(name), sum);
		return;
	}
	if (typeof value === 'number') hashNumber(value, place, part);
	else hashText(String(value), place, part);
	addFingerprint(sum, part);
}
