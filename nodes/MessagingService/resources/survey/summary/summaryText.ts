import type { IDataObject } from 'n8n-workflow';

import { fieldsIn, isDataObject, listIn } from '../../../../shared/values';

/** Describes results in one line: `14 answers, average 7.2 (13 numbers), eNPS 23`. @param results `undefined` if suppressed */
export function describeResults(results: IDataObject | undefined): string {
	if (!results) return 'too few answers';
	const { responses, counted, average, enps, otherAnswers, averageRank, rows, suppressedRows } =
		results;
	const texts = [count(responses, 'answer')];
	if (typeof average === 'number') {
		const among = counted === responses ? '' : ` (${count(counted, 'number')})`;
		texts.push(`average ${average.toFixed(1)}${among}`);
	}
	if (typeof enps === 'number') texts.push(`eNPS ${enps}`);
	if (typeof otherAnswers === 'number') texts.push(`${otherAnswers} in own words`);
	for (const [option, rank] of Object.entries(fieldsIn(averageRank)))
		texts.push(`${option}: average rank ${Number(rank).toFixed(1)}`);
	const hidden = listIn(suppressedRows).map((row): [string, undefined] => [String(row), undefined]);
	const parts = [...Object.entries(fieldsIn(rows)), ...hidden].map(
		([row, result]) => `${row}: ${describeResults(isDataObject(result) ? result : undefined)}`,
	);
	return [texts.join(', '), ...parts].join('; ').replace(/\s+/g, ' ');
}

const count = (number: unknown, what: string): string =>
	`${String(number)} ${what}${number === 1 ? '' : 's'}`;
