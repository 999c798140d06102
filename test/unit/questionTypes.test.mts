import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { questionTypes } from '../../nodes/MessagingService/resources/survey/questions/questionTypes.ts';
import { questionProperties } from '../../nodes/MessagingService/resources/survey/questions/questionFields.ts';
import { parseQuestionsText } from '../../nodes/MessagingService/resources/survey/questions/text/parse.ts';
import { documentedQuestionTypes } from '../kit/contract.mts';
import { questions, questionsText } from '../kit/questions.mts';

const sorted = (types: Iterable<unknown>) => [...types].map(String).sort();

const typesOf = (list: IDataObject[]) => list.map(({ templateCode }) => templateCode);

/** Returns the type, the other names and the example in each row of the table in docs/questions-as-text.md. */
function documentedRows() {
	const [, table = ''] = readFileSync('docs/questions-as-text.md', 'utf8').split('## Types');
	const [section = ''] = table.split('## ');
	return [...section.matchAll(/^\| `(\w+)` \|(.*)\|.*\| `(.+)` \|$/gm)].map(
		([, type = '', names = '', example = '']) => ({
			type,
			alsoCalled: sorted([...names.matchAll(/`(.+?)`/g)].map(([, name]) => name)),
			example,
		}),
	);
}

describe('every question type of the service', () => {
	const documented = sorted(documentedQuestionTypes());

	test('the form offers every question type', () => {
		const [field] = questionProperties.filter(({ name }) => name === 'templateCode');
		const values = (field?.options ?? []).map((option) => 'value' in option && option.value);
		expect(documented.length).toBeGreaterThan(0);
		expect(sorted(values)).toEqual(documented);
	});

	test('the page about questions as text has a row for every question type', () => {
		expect(sorted(documentedRows().map(({ type }) => type))).toEqual(documented);
	});

	test('every question type has valid examples, and the page about questions as text lists its other names', () => {
		for (const { type, alsoCalled, example } of documentedRows()) {
			const known = questionTypes.find(({ value }) => value === type);
			const names = [known?.name.toLowerCase(), ...(known?.alsoCalled ?? [])];
			expect([type, alsoCalled]).toEqual([type, sorted(names.filter((name) => name !== type))]);
			for (const line of [example, known?.example ?? '']) {
				const read = parseQuestionsText(line);
				expect([line, read.problems, typesOf(read.questions)]).toEqual([line, [], [type]]);
			}
		}
	});

	test('has samples in test/kit/questions.mts', () => {
		const { questions: written, problems } = parseQuestionsText(questionsText);
		expect(problems).toEqual([]);
		for (const sample of [questions, written]) expect(sorted(typesOf(sample))).toEqual(documented);
	});
});
