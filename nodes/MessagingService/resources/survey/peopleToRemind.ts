import { addToList } from '../../../shared/listsByKey';
import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { addressIn, EMAIL } from '../../../shared/email';
import { isBlank } from '../../../shared/values';

/** Whom a reminder reaches. */
export type PeopleToRemind = {
	/** Their addresses, as the service writes them. Two addresses that differ only in case are one. */
	addresses: string[];
	/** The number of people to remind who have no address that can be read. */
	withoutAddress: number;
	/** The number of different recipients in the survey data. */
	listed: number;
};

/**
 * Selects the people to remind of a survey. Rows with one user ID or one address are of one person. Who submitted the survey in
 * any row is left out.
 *
 * @param who `notSubmitted`, or `notOpened`: without those who opened the survey
 */
export function peopleToRemind({ result }: SurveyData, who: string): PeopleToRemind {
	const isDone = ({ submitted, read }: SurveyRow): boolean =>
		submitted === true || (who === 'notOpened' && read === true);
	const people = new Map<unknown, SurveyRow[]>();
	for (const row of result) {
		// Without a user ID, the address tells who it is. Without both, each row is another person.
		const [address] = addressesIn([row]);
		const key = isBlank(row.userId) ? (address?.toLowerCase() ?? row) : String(row.userId);
		addToList(people, key, row);
	}
	/** The addresses, in lower case, of people who are done, or whom this reminder reaches. */
	const taken = new Set<string>();
	const take = (rows: SurveyRow[]): void => {
		for (const address of addressesIn(rows)) taken.add(address.toLowerCase());
	};
	for (const rows of people.values()) if (rows.some(isDone)) take(rows);
	const addresses: string[] = [];
	let withoutAddress = 0;
	for (const rows of people.values()) {
		if (rows.some(isDone)) continue;
		const found = addressesIn(rows);
		const [address] = found;
		if (address === undefined) withoutAddress++;
		else if (!found.some((one) => taken.has(one.toLowerCase()))) addresses.push(address);
		take(rows);
	}
	return { addresses, withoutAddress, listed: people.size };
}

/** Returns the addresses in rows that can be read. */
function addressesIn(rows: SurveyRow[]): string[] {
	const texts = rows.map(({ userEmail }) => (typeof userEmail === 'string' ? userEmail : ''));
	return texts.map(addressIn).filter((address) => EMAIL.test(address));
}
