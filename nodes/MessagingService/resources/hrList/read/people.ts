import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forEachWithBreaks } from '../../../../shared/concurrency';
import { failure } from '../../../../shared/failure';
import {
	addressIn,
	describeValue,
	EMAIL,
	isNoValue,
	normalizeName,
} from '../../../../shared/values';
import { textOf, type Cell, type ListRecord } from './columns';
import { recordsInFiles } from './csvFiles';
import { recordsInItems } from './inputItems';
import { Problems } from './problems';
import { readListSettings, type Settings } from './settings';

/** A record of a person. */
type Person = {
	record: ListRecord;
	/** The address, or what stands there instead. '' for a blank one. */
	email: Cell;
	/** The address in lower case. '' if there is none. */
	key: string;
	isEmployed: boolean;
};

/**
 * Reads the people of an HR list from all input items.
 *
 * @returns an item for each record of a person whom the setting People means
 * @throws if a setting is invalid, or the list is not certainly whole and clear
 */
export async function readPeople(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const settings = await readListSettings(context);
	const problems = new Problems(failure(context));
	const read = settings.source === 'file' ? recordsInFiles : recordsInItems;
	const records = await read(context, settings, problems);
	problems.check();
	const people: Person[] = [];
	await forEachWithBreaks(records, (record) => {
		people.push(readPerson(record, settings, problems));
	});
	const employed = new Set(people.flatMap(({ isEmployed, key }) => (isEmployed ? key : [])));
	employed.delete('');
	const { minimumPeople } = settings;
	if (employed.size < minimumPeople)
		problems.add('tooFew', `${employed.size} of ${records.length}, and not ${minimumPeople}`);
	problems.check();
	const output: INodeExecutionData[] = [];
	await forEachWithBreaks(people, (person) => {
		const hasLeft = !person.isEmployed && !employed.has(person.key);
		const isWanted = settings.people === 'left' ? hasLeft : person.isEmployed;
		if (isWanted || settings.people === 'everybody') output.push(itemFor(person, settings));
	});
	return output;
}

/** Reads the person of a record. What is wrong is added to `problems`. */
function readPerson(
	record: ListRecord,
	{ hasStatus, employmentByStatus }: Settings,
	problems: Problems,
): Person {
	const { columns, cells, place } = record;
	const [given = '', ...others] = columns.places.map((index) => cells[index]);
	const status = hasStatus ? textOf(others.shift()) : '';
	const isEmployed = employmentByStatus.get(normalizeName(status));
	if (isEmployed === undefined) problems.add('status', `${describeValue(status)} (${place})`);
	const lost = others.find(hasLostDigits);
	if (lost !== undefined) problems.add('digits', `${place} (${textOf(lost)})`);
	const text = textOf(given);
	const address = addressIn(text);
	if (EMAIL.test(address))
		return { record, email: address, key: address.toLowerCase(), isEmployed: isEmployed === true };
	if (hasSeveralAddresses(text)) problems.add('addresses', place);
	const email = isNoValue(text) ? '' : given;
	return { record, email, key: '', isEmployed: isEmployed === true };
}

/** Returns the output item of a person. */
function itemFor({ record, email, isEmployed }: Person, { people }: Settings): INodeExecutionData {
	const { columns, cells, itemIndex } = record;
	const json: IDataObject = { email };
	columns.fields.forEach((field, index) => {
		if (field !== undefined) json[field] = index < cells.length ? cells[index] : '';
	});
	if (people === 'everybody') json.employed = isEmployed;
	return { json, pairedItem: { item: itemIndex } };
}

/** Whether a text has more than one address, however they are separated. */
function hasSeveralAddresses(text: string): boolean {
	const words = text.split(/[\s,;:<>()[\]{}"'|/&+]+/);
	return words.filter((word) => EMAIL.test(word)).length > 1;
}

/** Whether a value is a number that is not exact: `1.23457E+16` from Excel, or a number beyond 2^53. */
function hasLostDigits(value: Cell): boolean {
	if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
	return typeof value === 'string' && /^[+-]?\d([.,]\d+)?E\+\d+$/i.test(value.trim());
}
