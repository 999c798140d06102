import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { QUESTION_TYPES } from '../../nodes/MessagingService/resources/survey/questionTypes.ts';
import { questionProperties } from '../../nodes/MessagingService/resources/survey/questionFields.ts';
import { KINDS } from '../../nodes/MessagingService/resources/survey/questionsText/kinds.ts';
import { isRecord } from '../../emulator/server/guards.mts';

const sorted = (types: Iterable<unknown>) => [...types].map(String).sort();

/** The types that the service's document lists (schema SurveyQuestion). */
function documented(): string[] {
	let found: unknown = parse(readFileSync('emulator/openapi.yaml', 'utf8'));
	for (const key of [
		'components',
		'schemas',
		'SurveyQuestion',
		'properties',
		'templateCode',
		'enum',
	]) {
		found = isRecord(found) ? found[key] : undefined;
	}
	return Array.isArray(found) ? sorted(found) : [];
}

/** The first column of the table of types in the page about questions as text. */
function explained(): string[] {
	const [, table = ''] = readFileSync('docs/questions-as-text.md', 'utf8').split('## Types');
	const [section = ''] = table.split('## ');
	return sorted([...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => type));
}

describe('every question type of the service', () => {
	test('is known', () => {
		expect(documented().length).toBeGreaterThan(0);
		expect(sorted(QUESTION_TYPES)).toEqual(documented());
	});

	test('can be chosen in the form', () => {
		const [field] = questionProperties.filter(({ name }) => name === 'templateCode');
		const values = (field?.options ?? []).map((option) => 'value' in option && option.value);
		expect(sorted(values)).toEqual(documented());
	});

	test('can be written as text, and its page says how', () => {
		expect(sorted(KINDS.map(({ type }) => type))).toEqual(documented());
		expect(explained()).toEqual(documented());
	});
});
