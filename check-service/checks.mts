import { decide, notSeen, type Check } from './check.mts';
import { accessChecks } from './checks/access.mts';
import { listChecks } from './checks/lists.mts';
import { memberChecks } from './checks/members.mts';
import { recordChecks } from './checks/records.mts';
import { writeChecks } from './checks/writes.mts';

/** All questions, in the order in which they are asked. Tokens and rates come last, because they disturb the others. */
export const checks: Check[] = [
	...listChecks,
	...recordChecks,
	...writeChecks,
	...memberChecks,
	...accessChecks,
	decide('channelAddressShown', 'never', 'Which address of a person does a channel show?', () =>
		notSeen('only a person with two addresses would show it'),
	),
	decide('statusScheduled', 'never', 'Which status schedules a campaign?', () =>
		notSeen('a scheduled campaign would go out'),
	),
	decide('unknownCampaignEmails', 'never', 'An unknown recipient of a campaign?', () =>
		notSeen('a campaign would need recipients'),
	),
];
