import { numberField, switchedOff } from '../../../../shared/fieldTypes';
import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { recipientGroupId } from '../../../fields/locators';
import { changeById } from '../../../sync/changeById';
import { syncFields, syncOptions, type SyncRun } from '../../../sync/parameters';
import { runSync } from '../../../sync/runSync';
import type { Container, ReadTarget, TargetResult } from '../../../sync/types';
import { identifyBy } from '../memberFields';
import { changeByEmail } from './changeByEmail';
import { groupApi, type GroupApi } from './groupApi';
import { checkIds, checkUnknown, identifyAddresses } from './identify';
import { createGroup, deleteRest, type GroupRun } from './temporaryGroups';

const container: Container = {
	word: 'group',
	idName: 'recipientGroupId',
	nameName: 'recipientGroupName',
};

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync: Operation = {
	description:
		'Add the people of all input items to groups, remove them, or make groups match the input exactly',
	builderHint:
		'Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one group per department, set Recipient Group to By Name, with an expression.',
	// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
	notAsTool: [
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients or Recipient Group: Remove Recipients instead. Nothing was sent.',
	],
	async execute() {
		const field = recipientGroupId;
		return await runSync(this, { container, field, apiOf: groupApi, change: changeGroups });
	},
	fields: [
		recipientGroupId,
		identifyBy,
		...syncFields,
		options([
			switchedOff(
				'createMissingGroups',
				'Whether to create missing groups that are set By Name. If off, the items of a missing group fail.',
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			numberField(
				'maxNewGroups',
				50,
				'Maximum number of groups to create in one run. If more groups are missing, none is created and their items fail. This protects against an expression in Recipient Group that uses the wrong field.',
				1,
				{
					displayName: 'Maximum New Groups',
					displayOptions: { show: { '/mode': ['add', 'mirror'] } },
				},
			),
			...syncOptions,
			numberField('concurrency', 4, 'Maximum number of concurrent requests', 1),
		]),
	],
};

/** Finds out who is who if the mode needs this, and changes all groups. */
async function changeGroups(
	base: SyncRun<GroupApi>,
	groups: ReadTarget[],
): Promise<TargetResult[]> {
	const exclusive = groups.find(({ before }) => before.exclusive)?.target;
	const run: GroupRun = {
		...base,
		temporary: { isCleaned: false, undeleted: new Set(), uncertain: new Set() },
	};
	if (exclusive) run.temporary.exclusive = exclusive.name ?? exclusive.id;
	try {
		const isByEmail = run.identifyBy === 'email';
		if (isByEmail && !run.dryRun && run.mode !== 'mirror')
			return await changeByEmail(run, groups, run.mode);
		const people = isByEmail ? await identifyAddresses(run, groups) : await checkIds(run, groups);
		return await changeById(run, groups, people, {
			create: async (group) => await createGroup(run, group),
			checkUnknown: async () => await checkUnknown(run, people.problems),
		});
	} finally {
		await deleteRest(run);
	}
}
