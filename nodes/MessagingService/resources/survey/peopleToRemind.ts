import { addToList } from '../../../shared/listsByKey';
import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { addressIn, EMAIL, isBlank } from '../../../shared/values';

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
 * Selects the people to remind of a survey. People who submitted it in any of their rows are left out.
 *
 * @param who `notSubmitted`, or `notOpened`: without those who opened the survey
 */
export function peopleToRemind({ result }: SurveyData, who: string): PeopleToRemind {
	const isDone = ({ submitted, read }: SurveyRow): boolean =>
		submitted === true || (who === 'notOpened' && read === true);
	const people = new Map<unknown, SurveyRow[]>();
	for (const row of result) {
		// Without a user ID, the address tells who it is. Without both, each row is another person.
		const key = isBlank(row.userId) ? (addressOf(row)?.toLowerCase() ?? row) : row.userId;
		addToList(people, key, row);
	}
	const done = new Set(result.filter(isDone).map((row) => addressOf(row)?.toLowerCase()));
	const addresses = new Map<string, string>();
	let withoutAddress = 0;
	for (const rows of people.values()) {
		if (rows.some(isDone)) continue;
		const [address] = rows.flatMap((row) => addressOf(row) ?? []);
		const key = address?.toLowerCase();
		if (address === undefined || key === undefined) withoutAddress++;
		else if (!done.has(key) && !addresses.has(key)) addresses.set(key, address);
	}
	return { addresses: [...addresses.values()], withoutAddress, listed: people.size };
}

/** Returns the address of a row, or `undefined` if there is none that can be read. */
function addressOf({ userEmail }: SurveyRow): string | undefined {
	const address = typeof userEmail === 'string' ? addressIn(userEmail) : '';
	return EMAIL.test(address) ? address : undefined;
}
