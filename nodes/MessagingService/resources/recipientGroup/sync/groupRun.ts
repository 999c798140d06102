import type { SyncRun } from '../../../sync/syncRun';
import type { GroupApi } from './groupApi';

/** One run of sync for all groups. */
export type GroupRun = SyncRun<GroupApi> & {
	/** What a run remembers about its temporary groups. */
	temporary: {
		/** Whether the temporary groups of killed runs were already searched for and deleted. */
		isCleaned: boolean;
		/** IDs of groups whose deletion failed. */
		undeleted: Set<string>;
		/** Names of groups that may exist although their creation failed. */
		uncertain: Set<string>;
		/** The name of a group that says `exclusive: true`, if there is one. */
		exclusive?: string;
	};
};
