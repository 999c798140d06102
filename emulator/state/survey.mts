import type { Json } from './json.mts';
import { timestamp } from './clock.mts';

/** The question types of the service, in the order of its documentation. */
export const questionTypes = [
	...(['input', 'textarea', 'radio', 'dropdown', 'multiselect', 'matrix', 'rank'] as const),
	...(['rating', 'date', 'time', 'email', 'number'] as const),
] as const;

export type QuestionType = (typeof questionTypes)[number];

export type OptionValue = string | number;

export interface OptionObject {
	value: OptionValue;
	branchQuestions?: string[];
	branchQuestionId?: string[];
}

/** A question in the body of POST campaign/survey. */
export interface QuestionInput {
	templateCode: QuestionType;
	title: string;
	desc?: string;
	placeholder?: string;
	required?: boolean;
	questionId?: string;
	fork?: boolean;
	branch?: boolean;
	options?: string[] | number[] | OptionObject[];
	layout?: 'Horizontal' | 'Vertical';
	hideText?: string;
	zeroLabel?: string;
	tenLabel?: string;
	min?: number;
	max?: number;
	decimal?: number;
	matrixQuestions?: string[];
}

export type SurveySettings = Record<string, string | boolean>;

export interface Question extends QuestionInput {
	readonly _id: string;
	tags: string[];
}

/** One row of survey data (field `result`). Undefined fields are omitted from the response. */
export interface ResponseRow {
	readonly rowId: string;
	userId?: string;
	userDisplayName?: string;
	userEmail?: string;
	read: boolean;
	submitted: boolean;
	responseSubmitted: boolean;
	/** The time in milliseconds, or a text that responses contain unchanged. */
	submittedDate?: number | string;
	responseDuration?: number;
	/** Answers by the position of the question, counted from 0. */
	answers: Map<number, Json>;
	/** Answers by literal key, for tests of unusual rows. */
	rawAnswers: Map<string, Json>;
}

export type QuestionNumbering = 'from0' | 'from1';

/** The settings that determine how `result` shows the rows. */
export interface ResultView {
	numbering: QuestionNumbering;
	/** If false, the rows contain no answer to the first question. */
	firstQuestionAnswered: boolean;
	/** Whether the rows of an anonymous survey name the respondents. */
	anonymousRowsNamed: boolean;
	/** Whether `result` contains all rows, or only those of people who read or responded. */
	lists: 'everybody' | 'whoActed';
}

/** The questions and responses of a survey campaign. */
export class Survey {
	anonymous = false;
	private readonly rowsById = new Map<string, ResponseRow>();
	private readonly respondents = new Set<string>();

	constructor(
		public questions: Question[],
		public settings: SurveySettings,
	) {}

	/** Returns a survey with the fields of a saved one. */
	static restored(saved: Survey): Survey {
		return Object.assign(new Survey(saved.questions, saved.settings), saved);
	}

	get responseCount(): number {
		return this.rowsById.size;
	}

	rows(): ResponseRow[] {
		return [...this.rowsById.values()];
	}

	hasRowOf(userId: string): boolean {
		return this.respondents.has(userId);
	}

	/** Adds a row, or replaces the row with the same ID. */
	put(row: ResponseRow): void {
		if (row.userId !== undefined) this.respondents.add(row.userId);
		this.rowsById.set(row.rowId, row);
	}

	clear(): void {
		this.rowsById.clear();
	}

	/** Returns the rows that `view` selects, as the service shows them. */
	result(view: ResultView): Record<string, Json>[] {
		return this.rows()
			.filter((row) => view.lists === 'everybody' || hasActed(row))
			.map((row) => this.rowAsShown(row, view));
	}

	/** Returns a row with the service's field names. */
	private rowAsShown(row: ResponseRow, view: ResultView): Record<string, Json> {
		const shown: Record<string, Json> = {
			responseSubmitted: row.responseSubmitted,
			read: row.read,
			submitted: row.submitted,
		};
		if (row.submittedDate !== undefined) {
			shown.submittedDate =
				typeof row.submittedDate === 'number' ? timestamp(row.submittedDate) : row.submittedDate;
		}
		if (!this.anonymous || view.anonymousRowsNamed) {
			if (row.userId !== undefined) shown.userId = row.userId;
			if (row.userDisplayName !== undefined) shown.userDisplayName = row.userDisplayName;
			if (row.userEmail !== undefined) shown.userEmail = row.userEmail;
		}
		if (row.responseDuration !== undefined) shown.responseDuration = row.responseDuration;
		const first = view.numbering === 'from0' ? 0 : 1;
		for (const [position, answer] of row.answers) {
			if (position > 0 || view.firstQuestionAnswered) shown[`q.${position + first}`] = answer;
		}
		for (const [key, answer] of row.rawAnswers) shown[key] = answer;
		return shown;
	}
}

function hasActed({ read, submitted, responseSubmitted }: ResponseRow): boolean {
	return read || submitted || responseSubmitted;
}

/** Returns the options as survey data shows them: numbers or strings. */
export function optionValues(options: QuestionInput['options']): OptionValue[] {
	return (options ?? []).map((option) => (typeof option === 'object' ? option.value : option));
}
