import type { IDataObject } from 'n8n-workflow';

import type { Exchange } from './triggerModelService.mts';
import { QUESTIONS, rawAnswers, STAGE } from './triggerModelWorld.mts';

export type Output = 'simplified' | 'table' | 'raw';

/** The fields of an item that are not answers. */
const BESIDE =
	/^(event|campaign\w+|anonymous|user\w+|submitted\w*|responseDuration|responseSubmitted|read)$/;
const PEOPLE = ['userId', 'userDisplayName', 'userEmail'];
const ENOUGH = 20;

/** Whether the rows that were shown prove if answer keys count from 0 or 1 (docs/trigger.md). */
export class Numbering {
	/** Whether it was proved to the trigger as it is now, as it was saved, and ever. */
	isProved = false;
	wasProved = false;
	private wasSaved = false;

	constructor(
		readonly countsFrom: 0 | 1,
		private readonly firstRequired: boolean,
	) {}

	save(): void {
		this.wasSaved = this.isProved;
	}

	kill(): void {
		this.isProved = this.wasSaved;
	}

	note({ reads }: Exchange): void {
		this.isProved ||= [...reads.values()].some(({ rows, questions }) => {
			if (this.countsFrom === 0) return rows.some(({ answers }) => answers[0] !== undefined);
			const submitted = rows.filter(
				({ stage, answers }) =>
					stage >= STAGE.surveySubmitted && answers.some((answer) => answer !== undefined),
			);
			const isWhole = submitted.some(
				({ answers }) => answers.length === questions && !answers.includes(undefined),
			);
			return isWhole || submitted.length >= (this.firstRequired ? 2 : ENOUGH);
		});
		this.wasProved ||= this.isProved;
	}
}

/** Returns what is wrong with the answers of an item, or with what it tells about the person; undefined if it is right. */
export function wrongItem(
	item: IDataObject,
	output: Output,
	{ reads }: Exchange,
	{ countsFrom, isProved, wasProved }: Numbering,
): string | undefined {
	if (item.event === 'surveyClosed') return undefined;
	const [, read] = [...reads].find(([{ id }]) => id === item.campaignId) ?? [];
	const shown = read?.rows.find(({ row }) => row.id === item.responseDuration);
	if (!read || !shown) return 'an item for a row that was not shown';
	if (read.isAnonymous && output !== 'raw' && PEOPLE.some((field) => item[field] !== null))
		return `An item of an anonymous survey names a person: ${JSON.stringify(item)}`;
	const names = QUESTIONS.slice(0, read.questions).map(({ name }) => name);
	const raw = rawAnswers(shown.answers, countsFrom);
	const titled = Object.fromEntries(
		names.map((name, place) => [name, shown.answers[place] ?? null]),
	);
	const given = Object.entries(
		typeof item.answers === 'object' ? (item.answers ?? {}) : item,
	).filter(
		// In a table, every item has the keys of all rows, so a key (`q.7`) that belongs to no question may be null.
		([name, value]) => !BESIDE.test(name) && (names.includes(name) || value !== null),
	);
	const right = output === 'raw' || !wasProved ? [raw] : isProved ? [titled] : [raw, titled];
	if (right.some((form) => JSON.stringify(Object.entries(form)) === JSON.stringify(given)))
		return undefined;
	const isBlank =
		shown.answers.every((answer) => answer === undefined) &&
		given.every(([, value]) => value === null);
	if (isBlank && output === 'table') return undefined;
	return `answers ${JSON.stringify(given)}, ${isProved ? '' : 'not '}proved, instead of ${JSON.stringify(right)}`;
}
