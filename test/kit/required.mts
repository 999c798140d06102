import type { Emulator } from '../../emulator/emulator.mts';

/**
 * Returns `found`, a record that a test needs from the emulator.
 *
 * @param what the name of the record in the error
 * @throws if the record is missing, for example after a change of the seed
 */
export function required<Item>(found: Item | undefined, what: string): Item {
	if (found === undefined) throw new Error(`The emulator has no ${what}`);
	return found;
}

/** Returns the first of some records. @throws if there is none */
export function first<Item>(records: Iterable<Item>, what = 'such record'): Item {
	const [found] = records;
	return required(found, what);
}

/** Returns the first campaign with questions. @throws if there is none */
export function firstSurvey({ state }: Pick<Emulator, 'state'>) {
	const campaign = first(state.campaigns.values().filter(({ survey }) => survey));
	return { campaign, survey: required(campaign.survey, 'survey') };
}
