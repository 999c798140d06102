import { settle } from '../../../../shared/concurrency';
import { choices, numberField, optionsField, stringField } from '../../../../shared/fieldTypes';
import { errorItemOrThrow } from '../../../../shared/transport/errors/apiError';
import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { notice } from '../../../fields/notice';
import { readPeople } from './people';
import { sourceFields } from './settings';

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

/** Reads the list of people from all input items together. Sends nothing. */
export const read: Operation = {
	action: 'Read HR list',
	description:
		'Read the people of an HR list from all input items, and stop if the list is not whole and clear',
	builderHint:
		'Takes all input items in one run: CSV files, or one record per item. Put it between the node that reads the HR data and a sync. Do not put it into a loop.',
	isLocal: true,
	// A tool of an AI agent gets one item.
	notAsTool: [
		'HR List works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients or Recipient Group: Remove Recipients instead. Nothing was sent.',
	],
	async execute() {
		const reading = await settle(async () => await readPeople(this));
		return ['error' in reading ? [errorItemOrThrow(this, reading.error, 0)] : reading.result];
	},
	fields: [
		notice(
			'readsWhole',
			'Takes all input items, and returns one item per person with the address in "email". If anything in the list is unclear, it fails, says where, and returns nobody. It sends nothing. See <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/hr-list.md">what it checks</a>.',
		),
		...sourceFields,
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
		options([
			optionsField('delimiter', delimiters, 'auto', 'What separates the columns of a CSV file'),
			optionsField(
				'encoding',
				encodings,
				'auto',
				'How a CSV file without byte order mark is encoded',
			),
			numberField(
				'minimumPeople',
				1,
				'If fewer employed people have an address, the node fails. This protects against a list that was cut off.',
				1,
			),
			optionsField('people', people, 'employed', 'Whom to return'),
			stringField(
				'requiredColumns',
				'Names of further columns that the list must have, separated by commas, for example an ID or a department',
			),
		]),
	],
};
