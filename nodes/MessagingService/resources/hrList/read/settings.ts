import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { fieldInfo, type FieldInfo } from '../../../../shared/field';
import { checkSavedChoices } from '../../../../shared/savedChoices';
import {
	fieldsIn,
	isBlank,
	isExpression,
	normalizeName,
	toList,
	toPositiveInteger,
	toTitle,
} from '../../../../shared/values';
import { choiceAmong } from '../../../engine/conversions';
import { checkSameForAll } from '../../../engine/sameForAll';
import { listFields, listOptions } from './fields';

/** How to read a list. */
export type Settings = Awaited<ReturnType<typeof readListSettings>>;

const declared = new Map([...listFields, ...listOptions].map((field) => [field.name, field]));

/** The parameters with one value for the whole list. Items may have their files in different fields. */
const SAME_FOR_ALL = [...listFields.map(({ name }) => name), 'options'].filter(
	(name) => name !== 'binaryPropertyName',
);

/** Reads the settings of all input items. @throws if one is invalid, or differs between the items */
export async function readListSettings(context: IExecuteFunctions) {
	const node = context.getNode();
	const fail: Fail = (message, advice = '') =>
		failure(context)(message, `${advice} Nobody was returned.`.trim());
	if (node.executeOnce) {
		throw fail(
			'HR List cannot run with Execute Once',
			'n8n would pass only the first input item. Switch off Execute Once in the settings of the node.',
		);
	}
	checkSavedChoices(listFields, node, fail);
	const advice = 'All items of a list need the same settings. Use a node for each list.';
	await checkSameForAll(context, SAME_FOR_ALL, `${advice} Nobody was returned.`);
	const added = fieldsIn(context.getNodeParameter('options', 0, {}));
	const saved = { ...node.parameters, ...fieldsIn(node.parameters.options) };
	/** Reads a parameter, or an option, which has its default if it was not added. */
	const read = <Value>(name: string, convert: (value: unknown, field: FieldInfo) => Value) => {
		const value: unknown = Object.hasOwn(added, name)
			? added[name]
			: context.getNodeParameter(name, 0, declared.get(name)?.default);
		const field = { ...fieldInfo(context, name), fail };
		checkResult(value, saved[name], field);
		return convert(value, field);
	};
	const choice = (name: string) => read(name, choiceAmong(declared.get(name)?.options ?? []));

	const emailColumn = read('emailColumn', toTitle);
	const statusColumn = read('statusColumn', toTitle);
	if (emailColumn === '') throw fail('Email Column is empty', 'Enter the name of the column.');
	if (normalizeName(emailColumn) === normalizeName(statusColumn))
		throw fail('Email Column and Status Column are the same column', 'Change one of them.');
	const hasStatus = statusColumn !== '';
	const people = choice('people');
	if (people === 'left' && !hasStatus) {
		throw fail(
			'Without Status Column, nobody in the list has left',
			'Enter the name of the column that says who left, or set People to Employed.',
		);
	}
	const wanted = new Map<string, string>();
	for (const name of [emailColumn, statusColumn, ...read('requiredColumns', toList)]) {
		const key = normalizeName(name);
		if (key !== '' && !wanted.has(key)) wanted.set(key, name);
	}
	const isMinimumAdded = Object.hasOwn(added, 'minimumPeople');
	return {
		source: choice('source'),
		/** The columns that a list must have, by `normalizeName`. The first are Email Column and, if used, Status Column. */
		wanted,
		/** Without Status Column, the list has only employed people. */
		hasStatus,
		/** Whether each status means employed, by `normalizeName`. */
		employmentByStatus: hasStatus
			? employmentByStatus(read('employedValues', toList), read('leftValues', toList), fail)
			: new Map([['', true]]),
		people,
		/** How many people must be employed and have an address. A list of people who left may have none. */
		minimumPeople:
			people === 'left' && !isMinimumAdded ? 0 : read('minimumPeople', toPositiveInteger),
		delimiter: choice('delimiter'),
		encoding: choice('encoding'),
	};
}

/**
 * Checks that a value is there: without the result of an expression in Status Column, everybody who left would be employed.
 *
 * @throws for undefined and null, and for a blank result of an expression
 */
function checkResult(value: unknown, saved: unknown, { label, fail }: FieldInfo): void {
	const isEmpty = Array.isArray(value) ? value.every(isBlank) : isBlank(value);
	const isMissing = value === undefined || value === null;
	if (!isMissing && !(isEmpty && isExpression(saved))) return;
	throw fail(
		`${label} is empty, because its expression has no result`,
		'Check the expression. If it should be empty, clear the field.',
	);
}

/** Returns whether each status means employed. @throws if a value means both */
function employmentByStatus(employed: string[], left: string[], fail: Fail): Map<string, boolean> {
	const employment = new Map(employed.map((value) => [normalizeName(value), true]));
	for (const value of left) {
		const key = normalizeName(value);
		if (employment.get(key))
			throw fail(
				`"${value}" is in Employed Values and in Left Values`,
				'Remove it from one of them.',
			);
		employment.set(key, false);
	}
	return employment;
}
