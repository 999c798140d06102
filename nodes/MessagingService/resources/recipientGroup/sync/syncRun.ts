import { type Fail } from '../../../../shared/failure';
import type { GroupApi } from './groupApi';
import type { IdentifyBy } from './readRecipients';
import type { Report } from './report';

export type Mode = 'add' | 'remove' | 'mirror';

/** One run of sync: what was asked for, and what everything in it works with. */
export type SyncRun = {
	groupId: string;
	identifyBy: IdentifyBy;
	mode: Mode;
	/** The most recipients a request carries. */
	chunkSize: number;
	/** The most requests at the same time. */
	concurrency: number;
	dryRun: boolean;
	/** Mirror stops before it removes more of the group than this. */
	maxRemovalPercent: number;
	/** Whether the output says of each recipient what became of it. */
	perRecipient: boolean;
	api: GroupApi;
	report: Report;
	/** Requests left for finding out who is unknown in chunks that the service refuses. */
	extraRequests: { left: number; granted: number };
	/** Whether staging groups that a crash left behind were looked for already. */
	leftoversDeleted: boolean;
	/** Whether somebody cancelled the execution. */
	cancelled: () => boolean;
	/** Writes a line where n8n shows logs. */
	log: (text: string) => void;
	/** Makes the error for a sync that must not go on. */
	refuse: Fail;
};

/** The reason of whoever was not reached because the execution was cancelled. */
export const CANCELLED = 'The execution was cancelled before this recipient was reached';

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const chunks: Item[][] = [];
	for (let start = 0; start < items.length; start += size) {
		chunks.push(items.slice(start, start + size));
	}
	return chunks;
}
