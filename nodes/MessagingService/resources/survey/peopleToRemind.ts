import { addToList } from '../../../shared/listsByKey';
import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { addressIn, EMAIL } from '../../../shared/email';
import { isBlank } from '../../../shared/values';

/**
 * Selects the people to remind of a survey. Rows with one user ID or one address are of one person. Who submitted the survey in
 * any row is left out.
 *
 * @param who `notSubmitted`, or `notOpened`: without those who opened the survey
 * @returns `addresses` as the service writes them, of which two that differ only in case are one; the number of people to
 *   remind who have no address that can be read (`withoutAddress`), and of different recipients in the survey data (`listed`)
 */
export function peopleToRemind({ result }: SurveyData, who: string) {
	const isDone = ({ submitted, read }: SurveyRow): boolean =>
		submitted === true || (who === 'notOpened' && read === true);
	const people = new Map<unknown, SurveyRow[]>();
	for (const row of result) {
		// Without a user ID, the address tells who it is. Without both, each row is another person.
		const [address] = addressesIn([row]);
		const key = isBlank(row.userId) ? (address?.toLowerCase() ?? row) : String(row.userId);
		addToList(people, key, row);
	}
	const done = [...people.values()].filter((rows) => rows.some(isDone));
	/** The addresses, in lower case, of people who are done, or whom this reminder reaches. */
	const taken = new Set(addressesIn(done.flat()).map((address) => address.toLowerCase()));
	const addresses: string[] = [];
	let withoutAddress = 0;
	for (const rows of people.values()) {
		if (rows.some(isDone)) continue;
		const found = addressesIn(rows);
		const [address] = found;
		const keys = found.map((one) => one.toLowerCase());
		if (address === undefined) withoutAddress++;
		else if (!keys.some((key) => taken.has(key))) addresses.push(address);
		for (const key of keys) taken.add(key);
	}
	return { addresses, withoutAddress, listed: people.size };
}

/** Returns the addresses in rows that can be read. */
function addressesIn(rows: SurveyRow[]): string[] {
	const texts = rows.map(({ userEmail }) => (typeof userEmail === 'string' ? userEmail : ''));
	return texts.map(addressIn).filter((address) => EMAIL.test(address));
}
