import type { Fail } from '../../../../shared/failure';
import type { Mode } from './evidence';
import type { IdentifyBy, InputRecipient } from './readRecipients';
import type { GroupApi } from './groupApi';

/** One run of sync: what was asked for, and what everything in it works with. */
export type SyncRun = {
	groupId: string;
	identifyBy: IdentifyBy;
	mode: Mode;
	/** What the input items name. */
	input: InputRecipient[];
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
	/** Requests left for finding out who is unknown in chunks that the service refuses. */
	extraRequests: { left: number; granted: number };
	/** Whether staging groups that a killed run left behind were looked for already. */
	leftoversDeleted: boolean;
	/** The execution's id, for the name of a staging group. */
	executionId: string;
	/** Whether somebody cancelled the execution. */
	cancelled: () => boolean;
	/** Writes a line where n8n shows logs. */
	log: (text: string) => void;
	/** Shows the builder a line beside the output. */
	tell: (text: string) => void;
	/** Makes the error for a sync that must not go on. */
	refuse: Fail;
};

/** The reason of whoever was not reached because the execution was cancelled. */
export const CANCELLED = 'The execution was cancelled before this recipient was reached';
