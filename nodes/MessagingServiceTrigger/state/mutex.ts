import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { nodeKey } from './processState';

type PollResult = INodeExecutionData[][] | null;

type Running = {
	/** The static data that the poll reads and changes. */
	data: IDataObject;
	emits: Promise<boolean>;
};

// n8n starts a poll even if the previous one still runs (n8n 1.123.81 and 2.41.1 only count overlapping polls).
const running = new Map<string, Running>();

/**
 * Runs one poll of a node at a time in this process, because two concurrent polls would emit the same events. A poll that
 * shares its static data with a running one returns immediately. A poll with its own static data waits for the running
 * one. (A poll has its own data if n8n gave it a copy of a durable cursor, or if the workflow was activated again.) If the
 * running poll emits items, the waiting poll's data is outdated: the waiting poll returns nothing, and the next poll gets
 * fresh data. Otherwise the waiting poll continues.
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
