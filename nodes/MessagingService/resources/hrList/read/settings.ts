import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { fieldInfo, type FieldInfo } from '../../../../shared/field';
import { savedChoicesCheck } from '../../../../shared/savedChoices';
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
import { valueOrDefault } from '../../../fields/collections';
import { checkSameForAll } from '../../../engine/sameForAll';
import { listFields, listOptions } from './fields';
import { Problems } from './problems';

/** How to read a list. */
export type Settings = Awaited<ReturnType<typeof readListSettings>>;

const declared = new Map([...listFields, ...listOptions].map((field) => [field.name, field]));

/** The parameters with one value for the whole list. Items may have their files in different fields. */
const SETTINGS = [...declared.keys(), 'options'].filter((name) => name !== 'binaryPropertyName');

const checkChoices = savedChoicesCheck(listFields);

/** Reads the settings of all input items. @throws if one is invalid, or differs between the items */
export async function readListSettings(context: IExecuteFunctions) {
	const node = context.getNode();
	const fail: Fail = (message, advice = '') =>
		failure(context)(message, `${advice} Nobody was returned.`.trim());
	const problems = new Problems(fail);
	if (node.executeOnce) problems.add('executeOnce');
	checkChoices(node.parameters, fail);
	await checkSameForAll(context, SETTINGS, 'Use a node for each list. Nobody was returned.');
	const added = fieldsIn(context.getNodeParameter('options', 0, {}));
	const saved = { ...node.parameters, ...fieldsIn(node.parameters.options) };
	/**
	 * Reads a parameter, or an option, which has its default if it was not added. It must not be empty by mistake: with an
	 * empty Status Column, everybody who left would be employed.
	 */
	const read = <Value>(name: string, convert: (value: unknown, field: FieldInfo) => Value) => {
		const standard: unknown = context.getNodeParameter(name, 0, declared.get(name)?.default);
		const value = valueOrDefault(added, name, standard);
		const field = { ...fieldInfo(context, name), fail };
		// A field that was emptied is an empty text.
		const isMeant = typeof value === 'string' && !isExpression(saved[name]);
		if ([value].flat().every(isBlank) && !isMeant) problems.add('noResult', field.label);
		return convert(value, field);
	};
	const choice = (name: string) => read(name, choiceAmong(declared.get(name)?.options ?? []));

	const emailColumn = read('emailColumn', toTitle);
	const statusColumn = read('statusColumn', toTitle);
	const people = choice('people');
	const hasStatus = statusColumn !== '';
	if (emailColumn === '') problems.add('noEmailColumn');
	if (normalizeName(emailColumn) === normalizeName(statusColumn)) problems.add('sameColumn');
	if (people === 'left' && !hasStatus) problems.add('nobodyLeft');
	const wanted = new Map<string, string>();
	for (const name of [emailColumn, statusColumn, ...read('requiredColumns', toList)]) {
		const key = normalizeName(name);
		if (key !== '' && !wanted.has(key)) wanted.set(key, name);
	}
	const employedValues = hasStatus ? read('employedValues', toList) : [''];
	const employment = new Map(employedValues.map((value) => [normalizeName(value), true]));
	for (const value of hasStatus ? read('leftValues', toList) : []) {
		const key = normalizeName(value);
		if (employment.get(key)) problems.add('bothMeanings', `"${value}"`);
		employment.set(key, false);
	}
	const isMinimumAdded = Object.hasOwn(added, 'minimumPeople');
	return {
		/** What is wrong with the list. */
		problems,
		source: choice('source'),
		/** The columns that a list must have, by `normalizeName`. The first are Email Column and, if used, Status Column. */
		wanted,
		/** Without Status Column, the list has only employed people. */
		hasStatus,
		/** Whether each status means employed, by `normalizeName`. */
		employment,
		people,
		/** How many people must be employed and have an address. A list of people who left may have none. */
		minimumPeople:
			people === 'left' && !isMinimumAdded ? 0 : read('minimumPeople', toPositiveInteger),
		delimiter: choice('delimiter').replace('tab', '\t'),
		encoding: choice('encoding'),
	};
}
