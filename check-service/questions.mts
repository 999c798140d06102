import type { Switches } from '../emulator/switches.mts';
import { asking, type Check, type Needs } from './probe.mts';
import { listQuestions } from './questions/lists.mts';
import { moreReads, recordQuestions } from './questions/records.mts';
import { moreWrites, writeQuestions } from './questions/writes.mts';

/** A question, and the switch of the emulator that it decides. */
export type Question = Check & { decides?: string };

/** Declares a question that this command does not answer. */
const never = (asks: string, because: string): Check =>
	asking('reads')(asks, () => {
		throw new Error(because);
	});

const ofSwitches: Record<keyof Switches, Check> = {
	...{ ...listQuestions, ...recordQuestions, ...writeQuestions },
	channelAddressShown: never(
		'Which address of a person does a channel show?',
		'only a person with two addresses would show it',
	),
	formerAddresses: never(
		'Does the service know people by former addresses?',
		'only a person with a former address would show it',
	),
	statusScheduled: never('Which status schedules?', 'a scheduled campaign would go out'),
	unknownCampaignEmails: never('An unknown recipient?', 'a campaign would need recipients'),
	expiredTokenMessage: never('What does the service say then?', 'it would need waiting'),
	expiredToken: never('How is an expired access token refused?', 'it would need waiting'),
};

const ORDER: Needs[] = ['reads', 'writes', 'recipient', 'channels'];

/** All questions, in the order in which they are asked. */
export const questions: Question[] = [
	...[...moreReads, ...moreWrites],
	...Object.entries(ofSwitches).map(([name, check]) => ({ ...check, decides: name })),
].sort((a, b) => ORDER.indexOf(a.needs) - ORDER.indexOf(b.needs));
