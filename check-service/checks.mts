import { notSeen, type Check } from './check.mts';
import { accessChecks } from './checks/access.mts';
import { listChecks } from './checks/lists.mts';
import { memberChecks } from './checks/members.mts';
import { recordChecks } from './checks/records.mts';
import { writeChecks } from './checks/writes.mts';

/** Switches that only sending something to people would decide. */
const neverChecks: Check[] = [
	{
		asks: 'Which status schedules a campaign?',
		decides: 'statusScheduled',
		needs: 'never',
		look: () => notSeen('a scheduled campaign would go out'),
	},
	{
		asks: 'What happens to an unknown address among the recipients of a campaign?',
		decides: 'unknownCampaignEmails',
		needs: 'never',
		look: () => notSeen('a campaign would need recipients'),
	},
];

/** All questions, in the order in which they are asked. Access tokens and rates come last: they disturb the others. */
export const checks: Check[] = [
	...listChecks,
	...recordChecks,
	...writeChecks,
	...memberChecks,
	...accessChecks,
	...neverChecks,
];
