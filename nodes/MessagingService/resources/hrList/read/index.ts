import { settle } from '../../../../shared/concurrency';
import { errorItemOrThrow } from '../../../../shared/transport/errors/apiError';
import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { notice } from '../../../fields/notice';
import { listFields, listOptions } from './fields';
import { readPeople } from './people';

/** Reads the list of people from all input items together. Sends nothing. */
export const read: Operation = {
	action: 'Read HR list',
	description: 'Read the people of an HR list, and fail if something in the list is unclear',
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
			'Takes all input items, and returns one item per row that the option People selects, with the address in "email". If something in the list is unclear, the node fails, says where, and returns nobody. The node sends nothing. See <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/hr-list.md">what it checks</a>.',
		),
		...listFields,
		options(listOptions),
	],
};
