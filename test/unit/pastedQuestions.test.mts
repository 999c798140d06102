import type { IDataObject } from 'n8n-workflow';

import fc, { runs } from '../kit/property.mts';
import { checkQuestions } from '../../nodes/MessagingService/resources/survey/checkQuestions.ts';
import { questionsFromText } from '../../nodes/MessagingService/resources/survey/questionsText/parse.ts';
import { pastedSurvey, type Meant } from '../kit/survey/pastedSurvey.mts';

class Refused extends Error {}

const field = {
	label: 'Questions as Text',
	timezone: 'UTC',
	fail: (message: string, description = '') => new Refused(`${message} | ${description}`),
};

const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the questions in the words of their author. */
function understood(text: string): Meant[] {
	const questions = checkQuestions(questionsFromText(text, field), field);
	return questions.map((question) => {
		const { templateCode, title, required, options, matrixQuestions, zeroLabel, tenLabel } =
			question;
		const choices = list(options).map(
			(option): IDataObject => (isObject(option) ? option : { value: String(option) }),
		);
		const leading = choices.find(({ branchQuestions }) => branchQuestions !== undefined);
		const to = questions.findIndex(
			({ questionId }) => questionId === list(leading?.branchQuestions)[0],
		);
		return {
			type: templateCode === 'input' ? 'text' : String(templateCode),
			...{ title: String(title), required: required === true },
			...(choices.length > 0 && { options: choices.map(({ value }) => String(value)) }),
			...(matrixQuestions !== undefined && { rows: list(matrixQuestions).map(String) }),
			...(zeroLabel !== undefined && { ends: [String(zeroLabel), String(tenLabel)] }),
			...(leading && { leads: { option: String(leading.value), to } }),
		};
	});
}

test('what people paste is read as they mean it, or refused with a line that is unusual', () => {
	const count = { promised: 0, read: 0 };
	fc.assert(
		fc.property(fc.integer(), (seed) => {
			const { text, meant, isPromised, unusual, habits } = pastedSurvey(seed);
			count.promised += Number(isPromised);
			let questions: Meant[];
			try {
				questions = understood(text);
			} catch (error) {
				expect(error).toBeInstanceOf(Refused);
				const line = Number(/^Error: Line (\d+): /.exec(String(error))?.[1]);
				expect({ text, habits, error: String(error), isRight: unusual.has(line) }).toMatchObject({
					isRight: true,
				});
				return;
			}
			expect({ text, habits, questions }).toMatchObject({ questions: meant });
			expect(questions).toEqual(meant);
			count.read += Number(isPromised);
		}),
		{ numRuns: runs(2_000) },
	);
	expect(count.read / count.promised).toBeGreaterThan(0.8);
});
