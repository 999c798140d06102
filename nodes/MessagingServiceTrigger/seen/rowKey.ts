import { isDataObject } from '../../shared/guards';
import type { SurveyRow } from '../../shared/surveyData';
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
	const answers: string[] = [];
	for (const name in row) {
		if (isAnswer(name)) {
			answers.push(name);
			continue;
		}
		const place = name === 'submittedDate' ? null : placeOf(name);
		if (place !== null) addValue(row[name], place, sum);
	}
	const keys: Fingerprint[] = [{ ...sum }];
	for (const name of answers.sort(byNumber)) {
		const place = placeOf(name);
		if (place === null) continue;
		addValue(row[name], place, sum);
		keys.push({ ...sum });
	}
	return keys.reverse();
}

function byNumber(a: string, b: string): number {
	return a.length - b.length || (a < b ? -1 : 1);
}

const IDENTIFYING = new Set(['userEmail', 'userDisplayName', 'submittedDate']);

/** Where a value stands in a row, as the seed of its hash, with the places inside it as far as they came up. */
class Place implements Fingerprint {
	high = 0;

	low = 0;

	private readonly byName = new Map<string, Place>();

	private readonly byIndex: Place[] = [];

	constructor(name: string, outside: Readonly<Fingerprint>) {
		hashText(name, outside, this);
	}

	named(name: string): Place {
		const known = this.byName.get(name);
		if (known) return known;
		const place = new Place(name, this);
		if (this.byName.size < MOST_PLACES) this.byName.set(name, place);
		return place;
	}

	at(index: number): Place {
		const known = this.byIndex[index];
		if (known) return known;
		const place = new Place(`[${index}]`, this);
		if (index === this.byIndex.length && index < MOST_PLACES) this.byIndex.push(place);
		return place;
	}
}

/** Places are the same in all rows; this many are kept in each, in case something makes up ever new ones. */
const MOST_PLACES = 1000;

/** The fields of rows, null for those that are no content. */
const fields = new Map<string, Place | null>();

function isAnswer(name: string): boolean {
	return name.startsWith('q.');
}

function placeOf(name: string): Place | null {
	const known = fields.get(name);
	if (known !== undefined) return known;
	const isContent = isAnswer(name) || IDENTIFYING.has(name);
	const place = isContent ? new Place(name, BY_CONTENT) : null;
	if (fields.size < MOST_PLACES) fields.set(name, place);
	return place;
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
		for (const name in value) addValue(value[name], place.named(name), sum);
		return;
	}
	if (typeof value === 'number') hashNumber(value, place, part);
	else hashText(String(value), place, part);
	addFingerprint(sum, part);
}
