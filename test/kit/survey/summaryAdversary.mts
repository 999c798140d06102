import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../../nodes/shared/values.ts';
import { Equations } from './equations.mts';
import { MATRIX_ROWS, type Asked, type RandomSurvey } from './randomSurvey.mts';

/** Returns the summary of a survey, broken down by the question with this title, with the rows of everybody. */
export type Summarize = (survey: RandomSurvey, breakDownBy?: string) => IDataObject[];

/** A question, or a row of a matrix. */
type Unit = { id: string; asked: Asked; row?: string };

/**
 * The people of one segment. The cell `rest` contains the people without a segment, and the cell `all` contains
 * everybody.
 */
type Cell = { id: string; people: IDataObject[]; name?: string | null };

/** What an item of the summary shows about a unit. */
type View = {
	counts: Map<string, number>;
	responses?: number;
	otherAnswers?: number;
	/** The number of answers that are numbers. */
	counted?: number;
	showsChoices: boolean;
	showsTexts: boolean;
	/** The number of people who are among the responses, but whose answers the item neither shows nor counts. */
	uncounted: number;
};

/**
 * Reads the summary and each breakdown of a survey like a person who knows the forks and subtracts numbers.
 *
 * @returns what the summary or a breakdown reveals about the answers of too few people, if anything
 */
export function whatIsTold(survey: RandomSurvey, summarize: Summarize): string | undefined {
	const plain = summarize(survey);
	const everybody: Cell = { id: 'all', people: survey.rows };
	const whole = new Reader(survey, plain, plain, [everybody]);
	const told = whole.read();
	if (told !== undefined) return told;
	for (const by of survey.questions) {
		const items = summarize(survey, by.title);
		const wrong = wrongRowOfEverybody(plain, items);
		if (wrong !== undefined) return `by ${by.title}: ${wrong}`;
		const reader = new Reader(survey, plain, items, cellsOf(survey, items, by), by);
		const toldBy = reader.read();
		if (toldBy !== undefined) return `by ${by.title}: ${toldBy}`;
	}
	return undefined;
}

/** The row of everybody is that of the plain summary, or it is suppressed, as it must be if all segments are. */
function wrongRowOfEverybody(plain: IDataObject[], items: IDataObject[]): string | undefined {
	for (const row of items.filter(({ everybody }) => everybody === true)) {
		const segments = items.filter(
			({ question, everybody }) => question === row.question && everybody !== true,
		);
		const isHidden = segments.every(({ suppressed }) => suppressed);
		if (isHidden !== row.suppressed) return `${String(row.question)} of everybody is shown`;
		const same = plain.find(({ question }) => question === row.question);
		const shown = ['responses', 'distribution', 'counted', 'average', 'rows', 'text'];
		if (
			!isHidden &&
			shown.some((name) => !isDeepStrictEqual(row[name] ?? null, same?.[name] ?? null))
		)
			return `${String(row.question)} of everybody differs from the summary`;
	}
	return undefined;
}

class Reader {
	private readonly views = new Map<string, View>();

	constructor(
		private readonly survey: RandomSurvey,
		private readonly plain: IDataObject[],
		private readonly items: IDataObject[],
		private readonly cells: Cell[],
		private readonly by?: Asked,
	) {}

	read(): string | undefined {
		for (const told of this.shown()) return told;
		for (const family of familiesOf(this.survey.questions)) {
			for (const told of this.subtracted(family)) return told;
		}
		return undefined;
	}

	/** Yields what a reader sees without subtraction: small numbers, texts of few people, and names of segments. */
	private *shown(): Generator<string> {
		const { minimumResponses: least } = this.survey.settings;
		for (const cell of this.cells) {
			const [unit] = this.by ? unitsOf(this.by) : [];
			if (unit && typeof cell.name === 'string') {
				const { counts, showsTexts } = this.view(unit);
				const isCounted = unit.asked.kind === 'one' && counts.has(cell.name);
				const isHidden = unit.asked.kind === 'one' && isText(unit, cell.name) && !showsTexts;
				if (isHidden || (cell.people.length < least && !isCounted))
					yield `the segment ${cell.name} names an answer of ${cell.people.length}`;
			}
			for (const unit of this.survey.questions.flatMap(unitsOf)) {
				const view = this.view(unit, cell);
				const what = `${unit.id} of ${cell.id}`;
				const {
					responses = least,
					otherAnswers = least,
					showsTexts,
					showsChoices,
					uncounted,
				} = view;
				const isShown = showsTexts || showsChoices;
				if (isShown && responses < least) yield `${what} shows the answers of ${responses}`;
				if (uncounted > 0 && uncounted < least) yield `${what} counts ${uncounted} hidden answers`;
				if (otherAnswers < least) yield `${what} counts the texts of ${otherAnswers}`;
				const authors = count(unit, cell.people, 'texts');
				if (showsTexts && authors < this.least('texts')) yield `${what} shows ${authors} texts`;
			}
		}
	}

	/** Returns what the breakdown shows about a unit in a cell. Without a cell, returns what the plain summary shows. */
	private view(unit: Unit, cell?: Cell): View {
		const key = `${unit.id} of ${cell?.id ?? 'everybody'}`;
		const view =
			this.views.get(key) ?? viewOf(unit, itemOf(cell ? this.items : this.plain, unit, cell));
		this.views.set(key, view);
		return view;
	}

	private least(layer: 'choices' | 'texts'): number {
		const { minimumResponses, minimumComments } = this.survey.settings;
		return layer === 'choices' ? minimumResponses : Math.max(minimumResponses, minimumComments);
	}

	private *subtracted(family: Asked[]): Generator<string> {
		const equations = this.equationsOf(family);
		for (const unit of family.flatMap(unitsOf)) {
			const { asked } = unit;
			// The name of a segment reveals how its people answered the question of the breakdown and its
			// forks.
			if (this.by && (asked === this.by || isForkOf(asked, this.by, family))) continue;
			for (const layer of ['choices', 'texts'] as const) {
				const answers = this.answersOf(unit, layer);
				const hidden = this.cells.filter((cell) => {
					const { showsChoices, showsTexts } = this.view(unit, cell);
					return layer === 'choices' ? !showsChoices : !showsTexts;
				});
				const sizes = new Map(hidden.map((cell) => [cell, count(unit, cell.people, layer)]));
				for (const cells of subsetsOf(hidden.filter((cell) => sizes.get(cell) !== 0))) {
					const people = cells.reduce((sum, cell) => sum + (sizes.get(cell) ?? 0), 0);
					if (people === 0 || people >= this.least(layer)) continue;
					const sets = layer === 'texts' ? answers.map((one) => [one]) : [...subsetsOf(answers)];
					for (const some of sets) {
						// If `some` contains all answers, the sum reveals nothing: each person gave one of the
						// answers.
						if (some.length === answers.length) continue;
						const unknowns = cells.flatMap((cell) => some.map((one) => given(unit, cell, one)));
						if (!equations.determines(unknowns)) continue;
						const ids = cells.map(({ id }) => id).join('+');
						yield `${unit.id} of ${ids}: how many of ${people} gave ${some.join('/')}`;
					}
				}
			}
		}
	}

	/** The answers that people may have given, according to what the reader knows. */
	private answersOf(unit: Unit, layer: 'choices' | 'texts'): string[] {
		const { counts } = this.view(unit);
		const { options } = unit.asked;
		if (layer === 'choices' && options.length > 0) return options;
		return [...counts.keys()].filter((answer) => isText(unit, answer) === (layer === 'texts'));
	}

	private equationsOf(family: Asked[]): Equations {
		const equations = new Equations();
		const { cells, by } = this;
		equations.add(cells.map((cell) => [size(cell), 1]));
		const [of = undefined] = by ? unitsOf(by) : [];
		const sizes = of && by?.kind === 'one' ? this.view(of) : undefined;
		for (const cell of cells)
			if (cell.name && sizes?.counts.has(cell.name)) equations.add([[size(cell), 1]]);
		for (const unit of family.flatMap(unitsOf)) {
			this.addView(equations, unit, cells, this.view(unit));
			const everybody = this.items.find(
				({ question, everybody }) => question === unit.asked.title && everybody === true,
			);
			if (everybody) this.addView(equations, unit, cells, viewOf(unit, everybody));
			for (const cell of cells) this.addView(equations, unit, [cell], this.view(unit, cell));
			for (const cell of cells) this.addRules(equations, unit, cell);
		}
		return equations;
	}

	/** Adds what an item says about the people of these cells. */
	private addView(equations: Equations, unit: Unit, cells: Cell[], view: View): void {
		const know = (unknown: (cell: Cell) => string): void =>
			equations.add(cells.map((cell) => [unknown(cell), 1]));
		const { counts, responses, otherAnswers, counted, showsChoices, showsTexts } = view;
		if (counted !== undefined) {
			const numbers = this.answersOf(unit, 'choices').filter((answer) => /^\d+$/.test(answer));
			equations.add(
				cells.flatMap((cell) =>
					numbers.map((one): [string, number] => [given(unit, cell, one), 1]),
				),
			);
		}
		if (showsChoices) {
			for (const option of this.answersOf(unit, 'choices'))
				know((cell) => given(unit, cell, option));
		}
		if (showsTexts) {
			for (const text of this.answersOf(unit, 'texts')) know((cell) => given(unit, cell, text));
			know((cell) => wrote(unit, cell));
		}
		for (const answer of counts.keys()) know((cell) => given(unit, cell, answer));
		if (otherAnswers !== undefined) know((cell) => wrote(unit, cell));
		if (responses === undefined) return;
		const isComplete = showsChoices === showsTexts || otherAnswers !== undefined;
		if (isComplete) know((cell) => answered(unit, cell));
		else know((cell) => (showsTexts ? wrote(unit, cell) : chose(unit, cell)));
	}

	/** Adds what the reader knows from the questions alone. */
	private addRules(equations: Equations, unit: Unit, cell: Cell): void {
		const { asked } = unit;
		const is = (unknown: string, parts: string[]): void =>
			equations.add([[unknown, 1], ...parts.map((part): [string, number] => [part, -1])]);
		const of = (layer: 'choices' | 'texts') =>
			this.answersOf(unit, layer).map((answer) => given(unit, cell, answer));
		if (!asked.takesText) is(wrote(unit, cell), []);
		if (asked.kind !== 'several') {
			is(answered(unit, cell), [chose(unit, cell), wrote(unit, cell)]);
			if (asked.options.length > 0 || of('choices').length > 0)
				is(chose(unit, cell), of('choices'));
			if (of('texts').length > 0) is(wrote(unit, cell), of('texts'));
		}
		const { fork } = asked;
		if (asked.required && fork) {
			const forkUnit = { id: fork.title };
			is(
				answered(unit, cell),
				fork.answers.map((answer) => given(forkUnit, cell, answer)),
			);
		} else if (asked.required) is(answered(unit, cell), [size(cell)]);
		if (asked !== this.by || asked.kind !== 'one' || cell.name === null) return;
		for (const option of asked.options) {
			is(given(unit, cell, option), cell.name === option ? [size(cell)] : []);
		}
	}
}

type Named = Pick<Unit, 'id'>;

const size = (cell: Cell) => `size of ${cell.id}`;
const given = (unit: Named, cell: Cell, answer: string) => `${unit.id}=${answer} in ${cell.id}`;
const chose = (unit: Named, cell: Cell) => `${unit.id} chosen in ${cell.id}`;
const wrote = (unit: Named, cell: Cell) => `${unit.id} written in ${cell.id}`;
const answered = (unit: Named, cell: Cell) => `${unit.id} answered in ${cell.id}`;

function unitsOf(asked: Asked): Unit[] {
	if (asked.kind !== 'matrix') return [{ id: asked.title, asked }];
	return MATRIX_ROWS.map((row) => ({ id: `${asked.title} ${row}`, asked, row }));
}

/** Groups the questions so that forks are together with their branches. */
function familiesOf(questions: Asked[]): Asked[][] {
	const isRelated = (asked: Asked) =>
		asked.fork !== undefined || questions.some(({ fork }) => fork?.title === asked.title);
	const alone = questions.filter((asked) => !isRelated(asked)).map((asked) => [asked]);
	return [questions.filter(isRelated), ...alone];
}

function isForkOf(fork: Asked, asked: Asked, family: Asked[]): boolean {
	const next = family.find(({ title }) => title === asked.fork?.title);
	return next !== undefined && (next === fork || isForkOf(fork, next, family));
}

function cellsOf({ rows }: RandomSurvey, items: IDataObject[], by: Asked): Cell[] {
	const segments = items.filter(({ everybody }) => everybody !== true);
	const names = [...new Set(segments.map(({ segment }) => segment))];
	const cells: Cell[] = names.map((segment, index) => ({
		...{ id: `segment ${index} ${String(segment)}`, people: [] },
		name: typeof segment === 'string' ? segment : null,
	}));
	const rest: Cell = { id: 'rest', people: [] };
	const [unnamed] = cells.filter(({ name }) => name === null);
	const isOne = unnamed !== undefined && cells.length === 1;
	for (const row of rows) {
		const named = cells.find(({ name }) => name === nameOf(row[by.key]));
		const cell = isOne ? unnamed : row[by.key] === undefined ? rest : (named ?? unnamed);
		if (!cell) throw new Error(`No segment for ${nameOf(row[by.key])}`);
		cell.people.push(row);
	}
	return [...cells, rest];
}

function nameOf(answer: unknown): string {
	if (Array.isArray(answer)) return answer.map(String).sort().join(', ');
	if (!isDataObject(answer)) return String(answer);
	return Object.entries(answer)
		.map(([row, value]) => `${row}: ${String(value)}`)
		.join(', ');
}

function itemOf(items: IDataObject[], { asked }: Unit, cell?: Cell): IDataObject {
	if (cell?.id === 'rest') return {};
	const found = items.find(
		({ question, segment, everybody }) =>
			question === asked.title && everybody !== true && (!cell || segment === cell.name),
	);
	if (!found) throw new Error(`No item for ${asked.title}`);
	return found;
}

function viewOf(unit: Unit, item: IDataObject): View {
	const { row } = unit;
	const of = row === undefined ? item : { ...partOf(item.rows, row) };
	const distribution = row === undefined ? item.distribution : partOf(item.distribution, row);
	const counts = new Map(
		Object.entries(isDataObject(distribution) ? distribution : {}).map(([answer, times]) => [
			answer,
			Number(times),
		]),
	);
	const answers = [...counts.keys()];
	const { responses, otherAnswers, counted } = of;
	return {
		counts,
		...(typeof responses === 'number' && { responses }),
		...(typeof otherAnswers === 'number' && { otherAnswers }),
		...(typeof counted === 'number' && { counted }),
		uncounted: uncountedIn(unit, item, counts),
		showsChoices: answers.some((answer) => !isText(unit, answer)),
		showsTexts: answers.some((answer) => isText(unit, answer)),
	};
}

/** Returns the number of responses that an item does not show, or 0 if the item does not reveal this number. */
function uncountedIn({ asked }: Unit, item: IDataObject, counts: View['counts']): number {
	const { responses, otherAnswers, rows } = item;
	const sum = [...counts.values()].reduce((all, times) => all + times, 0);
	const isOnlyRow = isDataObject(rows) && Object.keys(rows).length === 1 && counts.size > 0;
	if (asked.kind === 'several' || (asked.kind === 'matrix' && !isOnlyRow)) return 0;
	return Number(responses ?? 0) - Number(otherAnswers ?? 0) - sum;
}

function partOf(whole: unknown, name: string): IDataObject {
	const part = isDataObject(whole) ? whole[name] : undefined;
	return isDataObject(part) ? part : {};
}

function isText({ asked }: Unit, answer: string): boolean {
	return !asked.options.includes(answer) && !/^\d+$/.test(answer);
}

/** Counts the people who chose an option or a number (`choices`), or wrote a text (`texts`). */
function count(unit: Unit, people: IDataObject[], layer: 'choices' | 'texts'): number {
	return people.filter((row) =>
		entriesOf(unit, row).some((entry) => isText(unit, entry) === (layer === 'texts')),
	).length;
}

function entriesOf({ asked, row }: Unit, person: IDataObject): string[] {
	const answer = person[asked.key];
	const entries = row === undefined ? answer : isDataObject(answer) ? answer[row] : undefined;
	const list: unknown[] = Array.isArray(entries) ? entries : [entries];
	return list.filter((entry) => entry !== undefined).map(String);
}

function* subsetsOf<Value>(list: Value[]): Generator<Value[]> {
	for (let bits = 1; bits < 2 ** Math.min(list.length, 8); bits++) {
		yield list.filter((_, index) => (bits & (2 ** index)) !== 0);
	}
}
