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
	description: 'Read and check a list of people from an HR system',
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
			'This operation reads all input items as one list. By default, the node returns each row of an employed person as one item. To return other people, use the option "People". Each output item has the address in "email". If the list has <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/hr-list.md#what-makes-it-fail">a problem</a>, the node fails and returns no items. Nothing is sent to the service.',
		),
		...listFields,
		options(listOptions),
	],
};
