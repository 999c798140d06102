import type { INodeProperties } from 'n8n-workflow';

import { choices, numberField, optionsField, stringField } from '../../../../shared/fieldTypes';
import { binaryField } from '../../../fields/fileContent';

const sources = choices({
	file: ['CSV File', 'Each input item has a CSV file'],
	items: ['Input Items', 'Each input item is a record: from Google Sheets, Excel, an HR system'],
});

const people = choices({
	employed: 'People with one of the Employed Values',
	left: 'People with one of the Left Values, except those whom another record calls employed',
	everybody: 'All people. The field "employed" says who is employed.',
});

const delimiters = choices({
	auto: ['Automatic', 'The one that separates your columns in the first line'],
	',': ['Comma'],
	'|': ['Pipe'],
	';': ['Semicolon'],
	tab: ['Tab'],
});

const encodings = choices({
	auto: ['Automatic', 'From the byte order mark, otherwise UTF-8'],
	'utf-16le': ['UTF-16'],
	'utf-8': ['UTF-8'],
	'windows-1252': ['Windows-1252', 'Western European, from Excel on Windows'],
});

const withStatus = { displayOptions: { hide: { statusColumn: [''] } } };

/** The fields, in screen order. */
export const listFields: INodeProperties[] = [
	optionsField('source', sources, 'file', 'Where the records of the list are'),
	binaryField({ displayOptions: { show: { source: ['file'] } } }),
	stringField('emailColumn', 'Name of the column with the email address', {
		default: 'email',
		required: true,
		hint: 'Upper and lower case and spaces do not matter in names of columns',
	}),
	stringField(
		'statusColumn',
		'Name of the column that says who is employed. If all people in the list are employed, clear this field.',
		{ default: 'status' },
	),
	stringField(
		'employedValues',
		'Values of Status Column that mean employed, separated by commas. A value in neither list stops the node.',
		{ default: 'active', placeholder: 'e.g. active, on leave', ...withStatus },
	),
	stringField(
		'leftValues',
		'Values of Status Column that mean that the person left, separated by commas',
		{ default: 'left', placeholder: 'e.g. left, terminated', ...withStatus },
	),
];

/** The fields in Options. */
export const listOptions: INodeProperties[] = [
	stringField('requiredColumns', 'Further columns that the list must have, separated by commas'),
	optionsField('people', people, 'employed', 'Whom to return'),
	numberField(
		'minimumPeople',
		1,
		'If fewer employed people have an address, the node fails. This protects against a list that was cut off.',
		1,
	),
	optionsField('delimiter', delimiters, 'auto', 'What separates the columns of a CSV file'),
	optionsField('encoding', encodings, 'auto', 'How a CSV file without byte order mark is encoded'),
];
