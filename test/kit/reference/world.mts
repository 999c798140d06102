import type { Emulator, SeedOptions } from '../../../emulator/emulator.mts';
import { addFile } from '../samples.mts';

/** The service without records. `fillService` adds those that the examples of the reference name. */
export const EMPTY: SeedOptions = {
	...{ seed: 5, people: 0, groups: 0, campaigns: 0, surveys: 0, broadcasts: 0, channels: 0 },
	...{ templates: 0, consoleUsers: 0, consoleUserGroups: 0 },
};

/** The time of the service in the examples. */
export const NOW = Date.parse('2026-01-31T09:15:00.000Z');

const HOUR = 3_600_000;

const PEOPLE = ['Ada Berg', 'Ben Costa', 'Cleo Diaz', 'Dan Eriksen', 'Eva Fischer', 'Finn Holm'];

/** The answers to the survey "Pulse", by person. Finn has only opened it. */
const ANSWERS = [
	['Sales', 9, 'Good people'],
	['Sales', 8, 'Fewer meetings'],
	['Sales', 10],
	['Sales', 7],
	['Sales', 6],
];

/** Adds a few records to an empty service. Returns the IDs that no name can replace. */
export function fillService({ state, clock, submitResponse }: Emulator) {
	const people = PEOPLE.map((name) => {
		const [firstName = '', lastName = ''] = name.split(' ');
		return state.people.add({
			email: `${firstName.toLowerCase()}@example.com`,
			firstName,
			lastName,
		});
	});
	const everybody = new Set(people.map(({ _id }) => _id));
	const members = people.slice(0, 2).map(({ _id }) => _id);
	const sales = state.addRecipientGroup('Sales', members);
	state.addTemplate({ name: 'Newsletter', categories: ['HR'] });

	const campaign = { description: 'All of next week', categories: ['HR'], recipients: everybody };
	const live = state.addCampaign({ name: 'Safety week', ...campaign });
	state.addCampaign({ name: 'Office move', ...campaign, status: '0' });
	const survey = {
		description: 'Three questions',
		categories: ['HR'],
		recipients: everybody,
		questions: [
			{ templateCode: 'dropdown' as const, title: 'Your team?', options: ['Sales', 'IT'] },
			{ templateCode: 'number' as const, title: 'How do you feel?' },
			{ templateCode: 'textarea' as const, title: 'Why?', required: false },
		],
	};
	const pulse = state.addSurvey({ name: 'Pulse', ...survey });
	state.addSurvey({ name: 'First week', ...survey, status: '0' });
	for (const answers of ANSWERS) submitResponse(pulse._id, { answers, responseDuration: 42 });
	submitResponse(pulse._id, {});

	const broadcast = { message: 'In the hall, at three', recipients: everybody };
	const townHall = state.addBroadcast({ title: 'Town hall', ...broadcast });
	const drill = state.addBroadcast({
		...{ title: 'Fire drill', ...broadcast, status: '4', scheduledAt: clock.now() + HOUR },
	});
	const draft = state.addBroadcast({ title: 'Canteen', ...broadcast, status: '0' });

	const news = state.addChannel({ name: 'News', description: 'What is new' });
	const manager = state.consoleUsers.add({
		...{ email: 'mia@example.com', firstName: 'Mia', lastName: 'Novak' },
	});
	news.managers.set(manager._id, ['channel_admin']);
	const editors = state.addConsoleUserGroup('Editors', 'Write the news');
	news.managerGroups.set(editors._id, ['channel_recipient_add']);
	for (const personId of members)
		news.recipients.set(personId, { linkId: state.ids.next(), personId });
	state.addChannel({ name: 'Old news', status: '3' });

	return {
		...{ sales: sales._id, townHall: townHall._id, drill: drill._id, draft: draft._id },
		...{ editors: editors._id, members, pulse: pulse._id },
		campaignFile: addFile({ state, clock }, live._id, 'map.png'),
		broadcastFile: addFile({ state, clock }, townHall._id, 'map.png'),
	};
}

/** The IDs of records of the examples. */
export type Ids = ReturnType<typeof fillService>;
