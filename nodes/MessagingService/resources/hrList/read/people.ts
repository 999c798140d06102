import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forEachWithBreaks } from '../../../../shared/concurrency';
import { addressIn, EMAIL } from '../../../../shared/email';
import { describeValue, isNoValue, isRounded, normalizeName } from '../../../../shared/values';
import { asWritten } from '../../../sync/input';
import type { ListRecord } from './columns';
import { readFiles, recordsInFile } from './csvFiles';
import { recordsInItems } from './inputItems';
import { readListSettings, type Settings } from './settings';

type Person = ReturnType<typeof readPerson>;

/**
 * Reads the people of an HR list from all input items.
 *
 * @returns an item for each record of a person whom the setting People means
 * @throws if a setting is invalid, or the list is not certainly whole and clear
 */
export async function readPeople(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const settings = await readListSettings(context);
	const { source, problems, people, minimumPeople } = settings;
	problems.check();
	const files = source === 'file' ? await readFiles(context, settings) : [];
	const records = files.map((file) => recordsInFile(file, settings));
	if (source === 'items') records.push(recordsInItems(context.getInputData(), settings));
	const found: Person[] = [];
	const employed = new Set<string>();
	for (const list of records) {
		await forEachWithBreaks(list, (record) => {
			const person = readPerson(record, settings);
			found.push(person);
			if (person.isEmployed && person.key !== '') employed.add(person.key);
		});
	}
	if (employed.size < minimumPeople)
		problems.add('tooFew', `${employed.size} of ${found.length}, and not ${minimumPeople}`);
	problems.check();
	const hasLeft = ({ key, isEmployed }: Person) => !isEmployed && !employed.has(key);
	const isWanted = people === 'left' ? hasLeft : ({ isEmployed }: Person) => isEmployed;
	const wanted = people === 'everybody' ? found : found.filter(isWanted);
	return wanted.map(({ item }) => item);
}

/**
 * Reads the person of a record. What is wrong is added to `problems`.
 *
 * @returns the output item, and the address in lower case, or '' if there is none
 */
function readPerson(
	{ columns, cells, place, itemIndex }: ListRecord,
	{ hasStatus, employment, people, problems }: Settings,
) {
	const [given, ...others] = columns.places.map((index) => cells[index]);
	const status = hasStatus ? asWritten(others.shift()) : '';
	const isEmployed = employment.get(normalizeName(status));
	if (isEmployed === undefined) problems.add('status', `${describeValue(status)} (${place})`);
	const lost = others.find(isRounded);
	if (lost !== undefined) problems.add('digits', `${place} (${asWritten(lost)})`);
	const text = asWritten(given);
	const address = addressIn(text);
	const isAddress = EMAIL.test(address);
	const isUnread = !isAddress && !isNoValue(text);
	if (isUnread && hasSeveralAddresses(text)) problems.add('addresses', place);
	// Another record of the same person may say that the person left.
	if (isUnread && isEmployed && people === 'left') problems.add('unread', place);
	const email = isAddress ? address : isUnread ? given : '';
	const json: IDataObject = { email };
	for (const [field, index] of columns.fields) json[field] = index < 0 ? '' : cells[index];
	if (people === 'everybody') json.employed = isEmployed;
	const item = { json, pairedItem: { item: itemIndex } };
	return { item, key: isAddress ? address.toLowerCase() : '', isEmployed };
}

function hasSeveralAddresses(text: string): boolean {
	return text.split(/[\s,;:<>()[\]{}"'|/&+]+/).filter((word) => EMAIL.test(word)).length > 1;
}
