import { placesOf, plain, split } from './escapes';
import type { Line } from './line';

/** `4`, or several: `4 + 5`, `4 and 5`. */
const LINK = /^(?:(?:q|question|#)\s*)?\d+(?:\s*(?:\+|&|and)\s*(?:(?:q|question|#)\s*)?\d+)*$/i;

/** An option and the numbers of the questions that it leads to. */
export type Option = { value: string; leadsTo: number[] };

/**
 * Reads options between commas: `Yes, No → 4`. That a list has none is left to the question type to report.
 */
export function optionsIn(part: string, line: Line): Option[] {
	const written = split(part, ',');
	const options = written.map((text) => optionIn(text, line));
	reportRepeats(
		options.map(({ value }) => value),
		'option',
		line,
	);
	reportUnclearNumbers(options, line);
	return options;
}

function optionIn(text: string, line: Line): Option {
	const [arrow] = placesOf(text, '→|->');
	if (arrow === undefined) return { value: plain(text), leadsTo: [] };
	const value = plain(text.slice(0, arrow.start));
	const target = text.slice(arrow.end).trim();
	if (value === '') {
		line.report('has an arrow without an option before it', 'Write it like this: No → 4.');
	}
	if (!LINK.test(target)) {
		line.report(
			`leads from "${value}" to "${plain(target)}", which is no number of a question`,
			'Write the number of the question: No → 4, or No → 4 + 5 for two. Write \\→ or \\-> for an arrow that belongs to the option.',
		);
		return { value, leadsTo: [] };
	}
	const numbers = Array.from(target.matchAll(/\d+/g), ([digits]) => Number(digits));
	return { value, leadsTo: [...new Set(numbers)] };
}

/** "No → 4, 5" may mean two questions or an option "5": only the builder knows. */
function reportUnclearNumbers(options: Option[], { number, count, report }: Line): void {
	const isNumber = ({ value }: Option): boolean => /^\d+$/.test(value);
	if (options.every(isNumber)) return;
	for (const [index, option] of options.entries()) {
		const before = options[index - 1];
		const isTarget = Number(option.value) > number && Number(option.value) <= count;
		if (!before || before.leadsTo.length === 0 || !isNumber(option) || !isTarget) continue;
		const both = [...before.leadsTo, option.value].join(' + ');
		report(
			`has "${option.value}" behind an arrow, which may be an option or a question`,
			`For both questions write ${before.value} → ${both}. For an option, put it before "${before.value}".`,
		);
	}
}

/** Reports the first of several values that stands there twice. @param what names such a value */
export function reportRepeats(values: string[], what: string, { report }: Line): void {
	const repeated = values.find((value, index) => values.indexOf(value) !== index);
	if (repeated === undefined) return;
	report(`has the ${what} "${repeated}" twice`, 'Nobody could tell the answers apart. Leave one.');
}
