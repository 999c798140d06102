import type { Switches } from '../emulator/switches.mts';
import { decide, type Check } from './check.mts';
import { accessChecks } from './checks/access.mts';
import { readChecks } from './checks/reads.mts';
import { writeChecks } from './checks/writes.mts';

/** Declares a question that only sending something to people would answer. */
const never = (decides: keyof Switches, asks: string, because: string): Check =>
	decide(decides, 'never', asks, () => {
		throw new Error(because);
	});

/** All questions, in the order in which they are asked. Tokens and rates come last, because they disturb the others. */
export const checks: Check[] = [
	...[...readChecks, ...writeChecks, ...accessChecks],
	never(
		'channelAddressShown',
		'Which address of a person does a channel show?',
		'only a person with two addresses would show it',
	),
	never('statusScheduled', 'Which status schedules?', 'a scheduled campaign would go out'),
	never('unknownCampaignEmails', 'An unknown recipient?', 'a campaign would need recipients'),
];
