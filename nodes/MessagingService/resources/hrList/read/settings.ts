import type { IExecuteFunctions } from 'n8n-workflow';

import { failure } from '../../../../shared/failure';
import { fieldInfo, type FieldInfo } from '../../../../shared/field';
import { choices, optionsField } from '../../../../shared/fieldTypes';
import { checkSavedChoices } from '../../../../shared/savedChoices';
import {
	fieldsIn,
	isBlank,
	isExpression,
	normalizeName,
	toChoice,
	toList,
	toPositiveInteger,
	toTitle,
} from '../../../../shared/values';
import { checkSameForAll } from '../../../engine/sameForAll';
import { binaryField } from '../../../fields/fileContent';

const sources = choices({
	file: ['CSV File', 'Each input item has a CSV file'],
	items: [
		'Input Items',
		'Each input item is a record, for example from Google Sheets, an HR system, a database or an Excel file',
	],
});

/** Where the records are. */
export const sourceFields = [
	optionsField('source', sources, 'file', 'Where the records of the list are'),
	binaryField({ displayOptions: { show: { source: ['file'] } } }),
];

/** How to read a list. */
export type Settings = Awaited<ReturnType<typeof readListSettings>>;

/** The parameters with one value for the whole list. */
const SETTINGS = [
	...['source', 'emailColumn', 'statusColumn', 'employedValues', 'leftValues', 'options'],
];

/** Reads the settings of all input items. @throws if one is invalid, or differs between the items */
export async function readListSettings(context: IExecuteFunctions) {
	const node = context.getNode();
	if (node.executeOnce) {
		throw failure(context)(
			'HR List cannot run with Execute Once',
			'n8n would pass only the first input item, and everybody else would look as if they had left. Switch off Execute Once in the settings of the node.',
		);
	}
	checkSavedChoices(sourceFields, node, failure(context));
	const advice =
		'The list has one set of settings. Use the same for all items, or read each list with its own node. Nobody was returned.';
	await checkSameForAll(context, SETTINGS, advice);
	const added = fieldsIn(context.getNodeParameter('options', 0, {}));
	const savedOptions = fieldsIn(node.parameters.options);
	const field = (name: string): FieldInfo => fieldInfo(context, name);
	const read = (name: string, standard: unknown) =>
		withResult(context.getNodeParameter(name, 0, standard), node.parameters[name], field(name));
	const option = (name: string, standard: unknown) =>
		Object.hasOwn(added, name)
			? withResult(added[name], savedOptions[name], field(name))
			: standard;
	const emailColumn = toTitle(read('emailColumn', 'email'), field('emailColumn'));
	if (emailColumn === '') throw field('emailColumn').fail('Email Column is empty');
	const statusColumn = toTitle(read('statusColumn', 'status'), field('statusColumn'));
	if (normalizeName(statusColumn) === normalizeName(emailColumn)) {
		throw field('statusColumn').fail('Email Column and Status Column are the same column');
	}
	const lists = statusColumn === '' ? [] : ['employedValues', 'leftValues'];
	const [employed = [], left = []] = lists.map((name) =>
		toList(context.getNodeParameter(name, 0, ''), field(name)).map(normalizeName),
	);
	const people = toChoice(
		option('people', 'employed'),
		['employed', 'left', 'everybody'],
		field('people'),
	);
	const both = employed.find((value) => left.includes(value));
	if (both !== undefined) {
		throw field('leftValues').fail(
			`"${both}" is in Employed Values and in Left Values`,
			'Remove it from one of them. Nobody was returned.',
		);
	}
	if (people === 'left' && statusColumn === '') {
		throw field('people').fail(
			'Without Status Column, nobody in the list has left',
			'Enter the name of the column that says who left, or set People to Employed. Nobody was returned.',
		);
	}
	const requiredColumns = toList(option('requiredColumns', ''), field('requiredColumns'));
	const wanted = new Map<string, string>();
	for (const name of [emailColumn, statusColumn, ...requiredColumns]) {
		const key = normalizeName(name);
		if (key !== '' && !wanted.has(key)) wanted.set(key, name);
	}
	return {
		source: toChoice(read('source', 'file'), ['file', 'items'], field('source')),
		/** Without it, the list has only employed people. */
		hasStatus: statusColumn !== '',
		/** All columns that a list must have, under their names in the settings, by `normalizeName`. Email Column is the first. */
		wanted,
		isEmployed: statusReader(statusColumn, employed, left),
		people,
		/** How many people must be employed and have an address. A list of people who left may have none. */
		minimumPeople: Object.hasOwn(added, 'minimumPeople')
			? toPositiveInteger(option('minimumPeople', 1), field('minimumPeople'))
			: Number(people !== 'left'),
		delimiter: toChoice(
			option('delimiter', 'auto'),
			['auto', ',', ';', 'tab', '|'],
			field('delimiter'),
		),
		encoding: toChoice(
			option('encoding', 'auto'),
			['auto', 'utf-8', 'windows-1252', 'utf-16le'],
			field('encoding'),
		),
	};
}

/**
 * Returns a value as it is. @throws if it has none, or an expression returns a blank one: without Status Column, everybody who
 * left would be employed
 */
function withResult(value: unknown, saved: unknown, { label, fail }: FieldInfo): unknown {
	const isEmpty = isBlank(value) || (Array.isArray(value) && value.every(isBlank));
	const isMissing = value === undefined || value === null;
	if (!isMissing && !(isEmpty && isExpression(saved))) return value;
	throw fail(
		`${label} is empty, because its expression has no result`,
		'Check the expression. If it should be empty, clear the field. Nobody was returned.',
	);
}

/** Returns a function that tells whether a status means employed. It returns undefined for a value in neither list. */
function statusReader(statusColumn: string, employed: string[], left: string[]) {
	if (statusColumn === '') return () => true;
	const known = new Map([
		...employed.map((value) => [value, true] as const),
		...left.map((value) => [value, false] as const),
	]);
	return (status: string) => known.get(normalizeName(status));
}
