import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { nodeKey } from './processState';

type PollResult = INodeExecutionData[][] | null;

type Running = {
	/** What the poll compares with, and changes in the end. */
	data: IDataObject;
	emits: Promise<boolean>;
};

// n8n starts a poll when the one before still runs (n8n 1.123.81 and 2.41.1 only count it).
const running = new Map<string, Running>();

/**
 * Runs one poll of a node at a time in this process: of two that run at once, both would emit what is new since the same
 * state. A poll that finds another at work on the same static data leaves the work to it. A poll with static data of
 * its own (a copy of a durable cursor, or after a new activation) waits for the other. It goes on if that one emitted
 * nothing; otherwise its copy is out of date, and the next poll gets a fresh one.
 */
export async function withMutex(
	context: IPollFunctions,
	data: IDataObject,
	poll: () => Promise<PollResult>,
): Promise<PollResult> {
	const key = nodeKey(context);
	for (let other = running.get(key); other; other = running.get(key)) {
		if (other.data === data || (await other.emits)) return null;
	}
	const result = poll();
	const emits = result.then(
		(items) => items !== null,
		() => false,
	);
	const mine = { data, emits };
	running.set(key, mine);
	try {
		return await result;
	} finally {
		if (running.get(key) === mine) running.delete(key);
	}
}
