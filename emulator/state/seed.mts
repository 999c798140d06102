import type { EmulatorClock } from './clock.mts';
import type { Json } from './json.mts';
import type { Keys } from './keys.mts';
import { pick, seededRandom } from './random.mts';
import { EmulatorState } from './state.mts';
import type { QuestionInput } from './survey.mts';
import { submitResponse } from './surveyResponses.mts';

/** How many records are created by default, and the seed number that determines their data. */
export const seedDefaults = {
	seed: 1,
	/** Known recipients. */
	people: 250,
	/** Recipient groups. The seed distributes the people over these groups. */
	groups: 5,
	/** Campaigns that are not surveys, owned by the Super User, in all four states. */
	campaigns: 10,
	/** Live survey campaigns with names in their rows. */
	surveys: 2,
	/** Live survey campaigns whose rows are anonymous. */
	anonymousSurveys: 0,
	/** At most one per known recipient. */
	responsesPerSurvey: 100,
	broadcasts: 5,
	channels: 3,
	templates: 4,
	/** Console users in addition to the owners of the keys. */
	consoleUsers: 5,
	consoleUserGroups: 3,
};

export type SeedOptions = Partial<typeof seedDefaults>;

// prettier-ignore
const firstNames = [
	'Anna', 'Björn', 'Chiara', 'Dmitri', 'Elif', 'François', 'Grace', 'Hiro', 'Inés', 'Jakub',
	'Kofi', 'Léa', 'Mateo', 'Noor', 'Olga', 'Priya', 'Quentin', 'Rosa', 'Sören', 'Tuấn',
];
// prettier-ignore
const lastNames = [
	'Ahmed', 'Berg', 'Costa', 'Dvořák', 'Eriksen', 'Fischer', 'García', 'Hoang', 'Ivanova', 'Jansen',
	'Kowalski', 'Larsson', 'Müller', 'Nakamura', "O'Brien", 'Petrov', 'Quispe', 'Rossi', 'Şahin', 'Tanaka',
];
// prettier-ignore
const subjects = [
	'Welcome aboard', 'Benefits enrolment', 'Safety week', 'New travel policy', 'Town hall invitation',
	'Office move', 'Open enrolment reminder', 'Volunteer day', 'Performance reviews', 'IT maintenance',
];
/** All four states. The state live occurs twice. */
const statuses = ['1', '1', '0', '4', '3'] as const;
const categories = ['HR', 'IT', 'Safety', 'Culture'];
const groupNames = ['Sales', 'Engineering', 'Warehouse', 'Managers', 'New joiners'];

const asciiOnly = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/[^a-zA-Z]/g, '')
		.toLowerCase();

const day = 24 * 60 * 60 * 1000;

/** The questions of a seeded survey: the most common types. */
const seededQuestions: QuestionInput[] = [
	{ templateCode: 'rating', title: 'How do you feel?', zeroLabel: 'Bad', tenLabel: 'Great' },
	{ templateCode: 'radio', title: 'Would you recommend us?', options: ['Yes', 'No', 'Not sure'] },
	{ templateCode: 'multiselect', title: 'What do you like?', options: ['Team', 'Pay', 'Office'] },
	{
		templateCode: 'matrix',
		title: 'How satisfied are you?',
		options: [1, 2, 3, 4, 5],
		matrixQuestions: ['Leadership', 'Tools'],
	},
	{ templateCode: 'textarea', title: 'Why?', desc: 'In your own words', required: false },
];

function seededAnswers(random: () => number): Json[] {
	return [
		random() % 11,
		pick(['Yes', 'No', 'Not sure'], random),
		pick([['Team'], ['Team', 'Pay'], ['Office'], ['Pay']], random),
		{ Leadership: (random() % 5) + 1, Tools: (random() % 5) + 1 },
		pick(['Great team', 'Too many meetings', 'Könnte besser sein', 'Keep going'], random),
	];
}

/** Returns a new state with the requested records. */
export function seededState(options: SeedOptions, clock: EmulatorClock, keys: Keys): EmulatorState {
	const wanted = { ...seedDefaults, ...options };
	const random = seededRandom(wanted.seed);
	const state = new EmulatorState(wanted.seed, clock, keys);
	const now = clock.now();

	const somebody = (emailEnd: string) => {
		const firstName = pick(firstNames, random);
		const lastName = pick(lastNames, random);
		const email = `${asciiOnly(firstName)}.${asciiOnly(lastName)}${emailEnd}`;
		return { email, firstName, lastName };
	};

	for (let number = 1; number <= wanted.consoleUsers; number += 1) {
		state.consoleUsers.add(somebody(`.console${number}@company.example`));
	}
	for (let number = 1; number <= wanted.consoleUserGroups; number += 1) {
		state.addConsoleUserGroup(`Console group ${number}`, `Editors of team ${number}`);
	}
	for (let number = 1; number <= wanted.people; number += 1) {
		const person = somebody(`${number}@people.example`);
		state.people.add({ ...person, active: random() % 20 !== 0 });
	}
	const people = state.people.values();
	const everybody: ReadonlySet<string> = new Set(people.map((person) => person._id));

	for (let number = 0; number < wanted.groups; number += 1) {
		const name = groupNames[number] ?? `Group ${number + 1}`;
		const members = people.filter((_person, index) => index % wanted.groups === number);
		state.addRecipientGroup(
			name,
			members.map(({ _id }) => _id),
		);
	}
	for (let number = 1; number <= wanted.templates; number += 1) {
		state.addTemplate({
			name: `Template ${number}`,
			categories: [categories[number % categories.length] ?? 'HR'],
			isSurvey: number % 2 === 0,
		});
	}

	const sendable = (number: number, total: number) => {
		const status = statuses[number % statuses.length] ?? '1';
		const liveAt = now - (((total - number) % 200) + 1) * (day / 4);
		return {
			...{ status, recipients: everybody, viaApi: number % 2 === 0 },
			...((status === '1' || status === '3') && { liveAt }),
			...(status === '4' && { scheduledAt: now + ((random() % 30) + 1) * day }),
		};
	};
	for (let number = 1; number <= wanted.campaigns; number += 1) {
		state.addCampaign({
			name: `${pick(subjects, random)} ${number}`,
			description: `Campaign number ${number}`,
			categories: [pick(categories, random)],
			...sendable(number, wanted.campaigns),
		});
	}
	for (let number = 1; number <= wanted.surveys + wanted.anonymousSurveys; number += 1) {
		const anonymous = number > wanted.surveys;
		const campaign = state.addSurvey({
			name: anonymous ? `Anonymous survey ${number - wanted.surveys}` : `Survey ${number}`,
			description: `Survey number ${number}`,
			categories: ['Culture'],
			recipients: everybody,
			viaApi: true,
			liveAt: now - day,
			questions: seededQuestions,
			anonymous,
		});
		const responses = Math.min(wanted.responsesPerSurvey, everybody.size);
		for (let index = 0; index < responses; index += 1) {
			submitResponse(state, now, campaign._id, {
				submittedDate: now - day + ((index * 997) % day),
				responseDuration: (random() % 300) + 5,
				answers: seededAnswers(random),
			});
		}
	}
	for (let number = 1; number <= wanted.broadcasts; number += 1) {
		state.addBroadcast({
			title: `${pick(subjects, random)}!`,
			message: `Short message number ${number}`,
			...sendable(number, wanted.broadcasts),
		});
	}
	const managers = state.consoleUsers.values();
	const managerGroups = state.consoleUserGroups.values();
	for (let number = 1; number <= wanted.channels; number += 1) {
		const channel = state.addChannel({
			name: `Channel ${number}`,
			description: `Channel number ${number}`,
		});
		for (const user of managers.slice(2, 5)) channel.managers.set(user._id, ['channel_admin']);
		for (const group of managerGroups.slice(0, 2)) {
			channel.managerGroups.set(group._id, ['channel_recipient_add']);
		}
		for (const person of people.slice(0, 50)) {
			channel.recipients.set(person._id, { linkId: state.ids.next(), personId: person._id });
		}
	}
	return state;
}
