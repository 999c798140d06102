import type { IDataObject } from 'n8n-workflow';

import { fieldsIn, listIn } from '../../../../shared/values';

/** Describes results in one line: `14 answers, average 7.2 (13 numbers), eNPS 23`. @param results `undefined` if suppressed */
export function describeResults(results: IDataObject | undefined): string {
	if (!results) return 'too few answers';
	const { averageRank, rows, suppressedRows } = results;
	const parts = Object.entries(fieldsIn(rows)).map(
		([row, result]) => `${row}: ${describeResults(fieldsIn(result))}`,
	);
	for (const row of listIn(suppressedRows))
		parts.push(`${String(row)}: ${describeResults(undefined)}`);
	const numbers = describeNumbers(results);
	for (const [option, rank] of Object.entries(fieldsIn(averageRank)))
		numbers.push(`${option}: average rank ${Number(rank).toFixed(1)}`);
	return [numbers.join(', '), ...parts].join('; ').replace(/\s+/g, ' ');
}

function describeNumbers({
	responses,
	counted,
	average,
	enps,
	otherAnswers,
}: IDataObject): string[] {
	const texts = [count(responses, 'answer')];
	if (typeof average === 'number') {
		const among = counted === responses ? '' : ` (${count(counted, 'number')})`;
		texts.push(`average ${average.toFixed(1)}${among}`);
	}
	if (typeof enps === 'number') texts.push(`eNPS ${enps}`);
	if (typeof otherAnswers === 'number') texts.push(`${otherAnswers} in own words`);
	return texts;
}

const count = (number: unknown, what: string): string =>
	`${String(number)} ${what}${number === 1 ? '' : 's'}`;
