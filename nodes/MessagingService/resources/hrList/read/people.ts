import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forEachWithBreaks } from '../../../../shared/concurrency';
import { failure } from '../../../../shared/failure';
import { addressIn, describeValue, EMAIL, isNoValue } from '../../../../shared/values';
import { textOf, type ListRecord } from './columns';
import { recordsInFiles } from './csvFiles';
import { recordsInItems } from './inputItems';
import { Problems } from './problems';
import { readListSettings, type Settings } from './settings';

type Value = IDataObject[string];

/** A person of the list. */
type Person = {
	record: ListRecord;
	/** The address, or what stands there instead. '' for a blank one. */
	email: Value;
	/** The address in lower case, to compare it. '' if there is none. */
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
	const fail = failure(context);
	const problems = new Problems();
	const read = settings.source === 'file' ? recordsInFiles : recordsInItems;
	const records = await read(context, settings, problems);
	problems.check(fail);
	const people: Person[] = [];
	await forEachWithBreaks(records, (record) => {
		const person = readPerson(record, settings, problems);
		if (person) people.push(person);
	});
	const employed = new Set(people.flatMap(({ isEmployed, key }) => (isEmployed ? key : [])));
	employed.delete('');
	if (employed.size < settings.minimumPeople) {
		const count = `${employed.size} of ${records.length} records`;
		problems.add(['tooFew', `${count}, at least ${settings.minimumPeople} are needed`]);
	}
	problems.check(fail);
	const output: INodeExecutionData[] = [];
	await forEachWithBreaks(people, (person) => {
		const isWanted =
			settings.people === 'everybody' ||
			(settings.people === 'employed'
				? person.isEmployed
				: !person.isEmployed && !employed.has(person.key));
		if (isWanted) output.push(itemFor(person, settings));
	});
	return output;
}

/** Reads the person of a record. Returns undefined if the status is in neither list. What is wrong is added to `problems`. */
function readPerson(
	record: ListRecord,
	{ hasStatus, isEmployed: employmentOf }: Settings,
	problems: Problems,
): Person | undefined {
	const { columns, cells, place } = record;
	const [given = null, ...others] = columns.places.map((index) => cells[index]);
	const status = hasStatus ? textOf(others.shift()) : '';
	const lost = others.find(hasLostDigits);
	if (lost !== undefined) problems.add(['digits', `${place} (${textOf(lost)})`]);
	const text = textOf(given);
	const address = addressIn(text);
	const isAddress = EMAIL.test(address);
	if (!isAddress && hasSeveralAddresses(text)) problems.add(['addresses', place]);
	const isEmployed = employmentOf(status);
	if (isEmployed === undefined) {
		problems.add(['status', `${describeValue(status)} (${place})`]);
		return undefined;
	}
	const asItStands = isNoValue(text) ? '' : given;
	return {
		record,
		email: isAddress ? address : asItStands,
		key: isAddress ? address.toLowerCase() : '',
		isEmployed,
	};
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

/** Whether a cell has more than one address, however they are separated. */
function hasSeveralAddresses(text: string): boolean {
	const words = text.split(/[\s,;:<>()[\]{}"'|/&+]+/);
	return words.filter((word) => EMAIL.test(word)).length > 1;
}

/** Whether a cell is a number that is not exact: `1.23457E+16` from Excel, or a number beyond 2^53. */
function hasLostDigits(value: Value): boolean {
	if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
	return typeof value === 'string' && /^\s*[+-]?\d([.,]\d+)?E\+\d+\s*$/i.test(value);
}
