import type { Entry } from '../../shared/service/keptLists';

/** Status codes by what an operation does with such a record; of any other code nobody knows. */
type Fit = { takes: string[]; refuses: string[] };

const onlyDrafts: Fit = { takes: ['0'], refuses: ['1', '3', '4'] };
const onlyLive: Fit = { takes: ['1'], refuses: ['0', '3', '4'] };
const sentOnes: Fit = { takes: ['1', '3'], refuses: ['0', '4'] };

/** What operations can take, by resource and operation (campaign, broadcast and channel in emulator/openapi.yaml). */
export const FITS: Record<string, Fit> = {
	'campaign.close': onlyLive,
	'campaign.getReport': sentOnes,
	'campaign.send': { takes: ['0', '4'], refuses: ['1', '3'] },
	'survey.launch': onlyDrafts,
	'survey.update': onlyDrafts,
	'survey.getResponses': sentOnes,
	'survey.getSummary': sentOnes,
	'broadcast.close': onlyLive,
	'broadcast.delete': { takes: ['0', '3', '4'], refuses: ['1'] },
	'broadcast.update': { takes: ['4'], refuses: ['0', '1', '3'] },
	'channel.archive': { takes: ['1'], refuses: ['3'] },
	'channel.restore': { takes: ['3'], refuses: ['1'] },
};

/**
 * The entries that a search finds, in the order to show them: those of exactly that name first, then what the operation
 * can take, then what it may take, then the rest; otherwise as they come. Nothing is hidden because of its state.
 *
 * @param filter part of a name, or a whole id: part of an id would match by chance; blank finds all
 * @param operation resource and operation, for example `campaign.close`
 */
export function arrange(entries: Entry[], filter: string, operation: string): Entry[] {
	const wanted = folded(filter);
	const fit = FITS[operation];
	const ranked: Array<{ entry: Entry; rank: number }> = [];
	for (const entry of entries) {
		const name = folded(entry.name);
		const isExact = name === wanted || folded(entry.id) === wanted;
		if (isExact || name.includes(wanted)) {
			ranked.push({ entry, rank: (isExact ? 0 : 3) + fitRank(fit, entry.status) });
		}
	}
	return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

/** The entries without those that an operation is known to refuse, where a list is not for searching. */
export function fitting(entries: Entry[], operation: string): Entry[] {
	const fit = FITS[operation];
	return arrange(entries, '', operation).filter(({ status }) => fitRank(fit, status) < 2);
}

/** Entries of exactly that name, without case and outer blanks. */
export function namesakesOf(entries: Entry[], name: string): Entry[] {
	const wanted = folded(name);
	return entries.filter((entry) => folded(entry.name) === wanted);
}

function fitRank(fit: Fit | undefined, status: string | undefined): 0 | 1 | 2 {
	if (!fit || status === undefined) return 1;
	if (fit.takes.includes(status)) return 0;
	return fit.refuses.includes(status) ? 2 : 1;
}

/** The same letters may be composed in two ways: "é" as one sign or as two. */
function folded(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
