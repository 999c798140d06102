import { startEmulator, type Emulator, type Switches } from '../../emulator/emulator.mts';
import { expectedMembers, knownRecipients, sampleEmployees } from './employees.mts';
import { freePort } from '../machine/ports.mts';

export type { Emulator };

/** The recipient group of the example "Survey with branching to a group". */
export const newJoiners = 'New joiners';

/**
 * Starts the emulator with seed data and the sample employees as recipients, or with the records of a file.
 *
 * @param records the file that keeps the records, and the seed of new records
 */
export async function startSeededEmulator(
	preferredPort: number,
	switches: Partial<Switches> = {},
	records: { stateFile?: string; seed?: number } = {},
): Promise<Emulator> {
	const port = await freePort(preferredPort, 'the emulator');
	// The emulator starts without groups, because the examples about HR records create their own.
	const { stateFile, ...number } = records;
	const seed = { people: 20, groups: 0, responsesPerSurvey: 12, ...number };
	const emulator = await startEmulator({ port, switches, seed, ...(stateFile && { stateFile }) });
	if (emulator.isRestored) return emulator;
	const joiners = [...emulator.state.people.values()].slice(0, 8).map(({ _id }) => _id);
	emulator.state.addRecipientGroup(newJoiners, joiners);
	for (const { employeeId: hrId, ...employee } of knownRecipients(await sampleEmployees())) {
		const { email, firstName, lastName } = employee;
		emulator.state.people.add({ email, firstName, lastName, hrId });
	}
	// Adds the people whose addresses are the placeholders in the node's fields.
	for (const [firstName, lastName] of [
		['Ada', 'Lovelace'],
		['Grace', 'Hopper'],
	] as const) {
		const person = { email: `${firstName.toLowerCase()}@example.com`, firstName, lastName };
		emulator.state.people.add(person);
		emulator.state.consoleUsers.add(person);
	}
	addSurveys(emulator);
	addChannel(emulator, expectedMembers(await sampleEmployees()).slice(0, 40));
	await emulator.save();
	return emulator;
}

/** Adds the surveys that the examples find by name, live date or questions. */
function addSurveys(emulator: Emulator): void {
	const { state } = emulator;
	const hour = 60 * 60 * 1000;
	const recipients = [...state.people.values()].slice(0, 20);
	const common = {
		description: 'Three questions, one minute',
		recipients: new Set(recipients.map(({ _id }) => _id)),
		status: '1' as const,
	};
	const now = Date.now();
	// In two of the teams, too few people answer for their results to be shown.
	const teams = { Sales: 7, Engineering: 5, Support: 4, HR: 2 };
	const pulse = state.addSurvey({
		...common,
		name: 'Pulse survey',
		categories: ['Pulse'],
		liveAt: now - 24 * hour,
		questions: [
			{ templateCode: 'rating', title: 'How likely are you to recommend us as an employer?' },
			{ templateCode: 'radio', title: 'Do you have what you need?', options: ['Yes', 'No'] },
			{ templateCode: 'textarea', title: 'What should we change?', required: false },
			{ templateCode: 'dropdown', title: 'Which team are you in?', options: Object.keys(teams) },
		],
	});
	const teamOf = Object.entries(teams).flatMap(([team, size]) => Array<string>(size).fill(team));
	for (const [index, team] of teamOf.entries()) {
		const words = index === 0 ? 'The coffee' : '';
		emulator.submitResponse(pulse._id, {
			userId: recipients[index]?._id,
			answers: [10 - ((index * 3) % 5), index % 3 === 0 ? 'No' : 'Yes', words, team],
			submittedDate: now - (20 - index) * hour,
		});
	}
	const comments = state.addSurvey({
		...common,
		name: 'Your ideas',
		categories: ['Comments'],
		liveAt: now - 24 * hour,
		questions: [{ templateCode: 'textarea', title: 'What should we change?' }],
	});
	const ideas = ['Fewer meetings', 'Better tools', 'Call me: +49 170 1234567, ada@example.com'];
	for (const [index, { _id: userId }] of recipients.slice(0, 12).entries()) {
		const idea = `${ideas[index % 3]} (${index + 1})`;
		const submittedDate = now - (20 - index) * hour;
		emulator.submitResponse(comments._id, { userId, answers: [idea], submittedDate });
	}
	const old = state.addSurvey({
		...common,
		name: 'How was your first week?',
		liveAt: now - 84 * hour,
		questions: [{ templateCode: 'rating', title: 'How was it?' }],
	});
	for (const [index, { _id }] of recipients.entries()) {
		emulator.submitResponse(old._id, {
			userId: _id,
			answers: index < 15 ? [8] : [],
			submitted: index < 15,
			submittedDate: index < 15 ? now - (80 - index) * hour : null,
		});
	}
	// Adds the newest responses. The trigger returns these responses as its sample, and one of them
	// has a low score.
	const mood = state.campaigns.values().find(({ name }) => name === 'Survey 1');
	if (mood === undefined) throw new Error('The seed has no survey');
	for (const [index, [score, reason]] of [
		[9, 'Great team'],
		[2, 'Too many meetings'],
	].entries()) {
		emulator.submitResponse(mood._id, {
			answers: { 'How do you feel?': score ?? 0, 'Why?': reason ?? '' },
			submittedDate: now - (2 - index) * 1000,
		});
	}
}

/** The channel of the example "Channel follows HR data". */
const companyNews = 'Company news';

/** Adds a channel with these people, and with one person who is not in the HR list. */
function addChannel({ state }: Emulator, emails: string[]): void {
	const { recipients } = state.addChannel({ name: companyNews });
	const { email: former } = state.people.add({ email: 'former@example.com' });
	for (const email of [...emails, former]) {
		const personId = state.people.findByReference(email)?._id ?? '';
		recipients.set(personId, { linkId: state.ids.next(), personId });
	}
}

/** Returns the addresses in the service's group with this name. */
export function groupMembers({ state }: Emulator, name: string): string[] {
	const groups = [...state.recipientGroups.values()].filter((group) => group.name === name);
	if (groups.length > 1) throw new Error(`The service has ${groups.length} groups named "${name}"`);
	const ids = [...(groups[0]?.members ?? [])];
	return ids.map((id) => state.people.get(id)?.email.toLowerCase() ?? `unknown id ${id}`).sort();
}
