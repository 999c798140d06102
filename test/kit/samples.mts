import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Emulator, SeedOptions } from '../../emulator/emulator.mts';
import { locator } from './engine.mts';
import { first } from './present.mts';

/** What a builder could fill in for one operation. */
export type Sample = {
	parameters: INodeParameters;
	/** Input items; one empty item when left out. */
	items?: INodeExecutionData[];
	/** What comes out has another form than by default; the schema shows the default one. */
	otherForm?: true;
};

/** Makes a sample that fits what the emulator holds; it may add records that the operation needs. */
export type SampleMaker = (emulator: Emulator) => Sample;

/** What the samples expect to be there. */
export const SAMPLE_SEED: SeedOptions = {
	seed: 11,
	people: 30,
	groups: 3,
	campaigns: 8,
	surveys: 1,
	responsesPerSurvey: 12,
	broadcasts: 6,
	channels: 2,
	templates: 4,
};

type Samples = { [resource: string]: { [operation: string]: SampleMaker[] } };

const list = { returnAll: false, limit: 3 };

const activeOnly = { conditions: '{"active":true}' };

const liveDates = { minLiveDate: '2000-01-01T00:00:00Z', maxLiveDate: '2100-01-01T00:00:00Z' };

const broadcastContent = {
	imageUrl: 'https://example.com/canteen.png',
	emoji: '📣',
	requiredConfirm: true,
	actionLink: 'https://example.com/menu',
	actionLinkText: 'See the menu',
	contentInEmail: true,
};

const surveySettings = {
	show_questions_individually: true,
	show_user_response: true,
	full_height: true,
	adaptive_height: true,
	text_width: '80%',
	text_color: '#000000',
	text_position: 'Center',
	input_width: '70%',
	input_color: '#111111',
	input_position: 'Right',
	required_color: '#222222',
	page_button_position: 'Top',
	prev_button_text_color: '#333333',
	prev_button_background_color: '#444444',
	next_button_text_color: '#555555',
	next_button_background_color: '#666666',
};

/** A question of each type, and between them every field of a question, none at its default. */
export const questions = [
	{
		templateCode: 'radio',
		title: 'Was it a good week?',
		desc: 'Be honest',
		required: false,
		questionId: 'good-week',
		fork: true,
		layout: 'Vertical',
		hideText: 'true',
		options: [
			{ value: 'Yes', branchQuestions: [] },
			{ value: 'No', branchQuestions: ['what-went-wrong'] },
		],
	},
	{
		templateCode: 'textarea',
		title: 'What went wrong?',
		placeholder: 'In your own words',
		questionId: 'what-went-wrong',
		branch: true,
	},
	{ templateCode: 'input', title: 'Your team?' },
	{ templateCode: 'dropdown', title: 'Which office?', options: ['Oslo', 'Bergen'] },
	{ templateCode: 'multiselect', title: 'What do you like?', options: ['Team', 'Pay'] },
	{
		templateCode: 'matrix',
		title: 'How satisfied are you?',
		options: ['1', '2', '3'],
		matrixQuestions: ['My team', 'My tools'],
	},
	{ templateCode: 'rank', title: 'What matters most?', options: ['Pay', 'Time'] },
	{
		templateCode: 'rating',
		title: 'How likely are you to stay?',
		zeroLabel: 'Not at all',
		tenLabel: 'Very',
	},
	{ templateCode: 'date', title: 'When did you start?' },
	{ templateCode: 'time', title: 'When do you get up?' },
	{ templateCode: 'email', title: 'Where do we reach you?' },
	{ templateCode: 'number', title: 'How many meetings?', min: 0, max: 40, decimal: 0 },
];

/** The same question types as text. */
export const questionsText = `
	Was it a good week? (radio: Yes, No → 2; layout: vertical; description: Be honest)
	What went wrong? (textarea; placeholder: In your own words)
	Your team? (input) *
	Which office? (dropdown: Oslo, Bergen)
	What do you like? (multiselect: Team, Pay)
	How satisfied are you? (matrix: My team, My tools; 1, 2, 3)
	What matters most? (rank: Pay, Time)
	How likely are you to stay? (rating: Not at all … Very)
	When did you start? (date)
	When do you get up? (time)
	Where do we reach you? (email)
	How many meetings? (number: 0 … 40; decimals: 0)
`;

function sample(parameters: INodeParameters): Sample {
	return { parameters };
}

/** With no recipients first, then with each kind that the service takes. */
function everyKindOfRecipients(
	parameters: (recipients: INodeParameters, emulator: Emulator) => INodeParameters,
): SampleMaker[] {
	return [
		(emulator) => sample(parameters({ recipientsFrom: 'none' }, emulator)),
		(emulator) =>
			sample(
				parameters(
					{ recipientsFrom: 'emails', recipientEmails: emails(emulator).join() },
					emulator,
				),
			),
		(emulator) =>
			sample(
				parameters({ recipientsFrom: 'groups', recipientGroups: [group(emulator)] }, emulator),
			),
		(emulator) =>
			sample(
				parameters(
					{
						recipientsFrom: 'newRecipients',
						recipients: {
							recipient: [{ email: 'new@example.com', firstName: 'Nora', lastName: 'New' }],
						},
					},
					emulator,
				),
			),
	];
}

function everyKindOfMembers(
	parameters: (members: INodeParameters) => INodeParameters,
): SampleMaker[] {
	const made = (emulator: Emulator, members: INodeParameters): Sample =>
		sample({ recipientGroupId: locator(group(emulator)), ...parameters(members) });
	return [
		(emulator) =>
			made(emulator, { identifyBy: 'email', recipientEmails: emails(emulator).join(';') }),
		(emulator) => made(emulator, { identifyBy: 'id', recipientIds: ids(emulator).join('\n') }),
		(emulator) => {
			emulator.switches.unknownEmails = 'errorLog';
			return made(emulator, { identifyBy: 'email', recipientEmails: 'nobody@example.com' });
		},
	];
}

/** From the question builder and as JSON. */
function everyKindOfQuestions(
	parameters: (questions: INodeParameters, emulator: Emulator) => INodeParameters,
): SampleMaker[] {
	return [
		{ questionsInput: 'builder', questions: { question: questionsInForm } },
		{ questionsInput: 'json', questionsJson: JSON.stringify(questions) },
		{ questionsInput: 'text', questionsText },
	].map(
		(input: INodeParameters): SampleMaker =>
			(emulator) =>
				sample(parameters(input, emulator)),
	);
}

/** A question as the fixed collection of the screen holds it. */
function asInBuilder({
	options,
	matrixQuestions,
	hideText,
	...question
}: (typeof questions)[number]) {
	const built: INodeParameters = { ...question };
	if (hideText) built.hideText = true;
	if (matrixQuestions) built.matrixQuestions = matrixQuestions.join('\n');
	if (options) {
		built.options = {
			option: options.map((option) =>
				typeof option === 'string'
					? { value: option, branchQuestions: '' }
					: { value: option.value, branchQuestions: option.branchQuestions.join() },
			),
		};
	}
	return built;
}

/** The same questions as the form holds them. */
export const questionsInForm = questions.map(asInBuilder);

function syncSample(
	emulator: Emulator,
	mode: { mode: string; maxRemovalPercent?: number },
	options: INodeParameters,
): Sample {
	return {
		parameters: {
			recipientGroupId: locator(group(emulator)),
			identifyBy: 'email',
			recipient: '={{ $json.email }}',
			dryRun: false,
			...mode,
			options: { chunkSize: 100, concurrency: 2, ...options },
		},
		items: [...emails(emulator), 'nobody@example.com', 'no address'].map((email) => ({
			json: { email },
		})),
	};
}

function everyScope(
	parameters: INodeParameters & { filters: INodeParameters },
	addRecord: (emulator: Emulator) => string,
): SampleMaker[] {
	return ['all', 'onlyApi', 'mine'].map(
		(scope): SampleMaker =>
			(emulator) => {
				addRecord(emulator);
				return sample({ ...parameters, filters: { ...parameters.filters, scope } });
			},
	);
}

function inChannel(parameters: (emulator: Emulator) => INodeParameters = () => ({})): SampleMaker {
	return (emulator) => {
		const channel = first(emulator.state.channels.values());
		Object.assign(channel, sharedWith(emulator));
		return sample({ channelId: locator(channel._id), ...parameters(emulator) });
	};
}

function fileSamples(
	parameter: 'campaignId' | 'broadcastId',
	parent: (emulator: Emulator) => string,
): Samples[string] {
	const withFile =
		(more: INodeParameters = {}): SampleMaker =>
		(emulator) => {
			const id = parent(emulator);
			return {
				parameters: { [parameter]: locator(id), fileId: locator(addFile(emulator, id)), ...more },
				items: [fileItem],
			};
		};
	return {
		delete: [withFile({ options: { deleteFileInUse: true } })],
		get: [withFile()],
		getAll: [withFile(list)],
		replace: [withFile({ binaryPropertyName: 'data', media: 'raw' })],
		upload: [withFile({ binaryPropertyName: 'data', media: 'image' })],
	};
}

/** An input item with a text file. */
const fileItem: INodeExecutionData = {
	json: {},
	binary: {
		data: {
			data: Buffer.from('Welcome to Oslo!\n').toString('base64'),
			mimeType: 'text/plain',
			fileName: 'welcome.txt',
			fileExtension: 'txt',
		},
	},
};

/** Puts a file that the content uses into a campaign or broadcast, as the console would. */
export function addFile({ state, clock }: Emulator, ownerId: string, name = 'hello.txt'): string {
	const content = Buffer.from('Hello\n');
	const now = clock.now();
	const { _id } = state.addFile({
		_id: state.ids.next(),
		ownerId,
		name,
		media: 'raw',
		draftUsed: false,
		activeUsed: true,
		upload: {
			filename: name,
			mime: 'text/plain',
			encoding: '7bit',
			size: content.length,
			sha256: '',
			content,
			contentComplete: true,
		},
		createdAt: now,
		changedAt: now,
		version: 0,
		versionId: 'version-0',
		storageId: 'storage-0',
	});
	return _id;
}

function campaignContent(emulator: Emulator): INodeParameters {
	return {
		title: 'Come to our picnic!',
		templateId: first(emulator.state.templates.values())._id,
		templateData: '{ "city": "Oslo" }',
		categories: 'HR, Culture',
		imageUrl: 'https://example.com/picnic.png',
		enableEmail: true,
		enableMobileNotification: false,
		emailReplyTo: 'hr@example.com',
		commentVisibility: '1',
	};
}

function campaignOwners({ state }: Emulator): INodeParameters {
	return { senderUserEmail: state.plainUser.email, ownerUserEmail: state.superUser.email };
}

function channelContent(emulator: Emulator): INodeParameters {
	return {
		title: 'Welcome!',
		description: 'The first hundred days',
		template: first(emulator.state.templates.values())._id,
		enableEmail: true,
		enableSms: false,
		enableAppNotification: true,
		enableComment: true,
		commentVisibility: '0',
	};
}

function channelPeople(emulator: Emulator): INodeParameters {
	return {
		recipients: emails(emulator).join(', '),
		additionalFields: {
			lists: [group(emulator)],
			conditions: '{\n  "active": true\n}\nlastName=Berg',
		},
	};
}

const emails = ({ state }: Emulator) =>
	state.people
		.values()
		.slice(0, 3)
		.map(({ email }) => email);

const ids = ({ state }: Emulator) =>
	state.people
		.values()
		.slice(0, 3)
		.map(({ _id }) => _id);

const group = ({ state }: Emulator) => first(state.recipientGroups.values())._id;

const survey = ({ state }: Emulator) =>
	first(state.campaigns.values().filter((campaign) => campaign.survey !== undefined))._id;

const surveyTemplate = ({ state }: Emulator) =>
	first(state.templates.values().filter(({ isSurvey }) => isSurvey))._id;

/** Lists that would be empty show no form of their entries. */
const sharedWith = ({ state }: Emulator) => ({
	sharedUserIds: [state.plainUser._id],
	sharedGroups: ['team-1'],
});

const liveCampaign = (emulator: Emulator) =>
	emulator.state.addCampaign({
		name: 'Live',
		description: 'Sent',
		categories: ['HR'],
		imageUrl: 'https://example.com/a.png',
		viaApi: true,
		...sharedWith(emulator),
	})._id;

const draftCampaign = ({ state }: Emulator) =>
	state.addCampaign({ name: 'Draft', description: 'Not sent', status: '0' })._id;

const liveBroadcast = ({ state }: Emulator) =>
	state.addBroadcast({
		title: 'Live',
		message: 'Sent',
		viaApi: true,
		sharedUserIds: [state.plainUser._id],
	})._id;

const draftBroadcast = ({ state }: Emulator) =>
	state.addBroadcast({ title: 'Draft', message: 'Not sent', status: '0' })._id;

const scheduledBroadcast = ({ state, clock }: Emulator) =>
	state.addBroadcast({
		title: 'Scheduled',
		message: 'Not sent yet',
		status: '4',
		scheduledAt: clock.now() + 86_400_000,
	})._id;

/**
 * Samples of every operation. Each fills in all parameters that can stand together; the
 * samples of an operation together fill in all there are.
 */
export const samples: Samples = {
	broadcast: {
		close: [(emulator) => sample({ broadcastId: locator(liveBroadcast(emulator)) })],
		create: everyKindOfRecipients((recipients) => ({
			title: 'The canteen is closed',
			message: 'Lunch is served in the lobby.',
			status: 'scheduled',
			scheduledTime: '2099-01-31T09:15:00',
			...recipients,
			additionalFields: broadcastContent,
		})),
		delete: [(emulator) => sample({ broadcastId: locator(draftBroadcast(emulator)) })],
		get: [(emulator) => sample({ broadcastId: locator(liveBroadcast(emulator)) })],
		getAll: everyScope({ ...list, filters: liveDates }, liveBroadcast),
		update: [(emulator) => sample({ broadcastId: locator(scheduledBroadcast(emulator)) })],
	},
	broadcastFile: fileSamples('broadcastId', liveBroadcast),
	campaign: {
		addRecipients: everyKindOfRecipients((recipients, emulator) => ({
			campaignId: locator(liveCampaign(emulator)),
			...recipients,
		})).slice(1),
		cancelRecipients: [
			(emulator) =>
				sample({
					campaignId: locator(liveCampaign(emulator)),
					recipientEmails: emails(emulator).join(', '),
				}),
		],
		close: [(emulator) => sample({ campaignId: locator(liveCampaign(emulator)) })],
		create: everyKindOfRecipients((recipients, emulator) => ({
			name: 'Company picnic',
			campaignDescription: 'Where and when we meet',
			status: 'scheduled',
			scheduledTime: '2099-01-31T09:15:00',
			...recipients,
			additionalFields: {
				...campaignContent(emulator),
				...campaignOwners(emulator),
				sharedGroups: 'team-1, team-2',
			},
		})),
		get: [(emulator) => sample({ campaignId: locator(liveCampaign(emulator)) })],
		getAll: everyScope(
			{ ...list, filters: { ...liveDates, status: '1', category: 'HR' } },
			liveCampaign,
		),
		getReport: [(emulator) => sample({ campaignId: locator(liveCampaign(emulator)) })],
		send: [(emulator) => sample({ campaignId: locator(draftCampaign(emulator)) })],
		update: [
			(emulator) =>
				sample({
					campaignId: locator(draftCampaign(emulator)),
					updateFields: {
						...campaignContent(emulator),
						name: 'Company picnic 2027',
						description: 'Where and when we meet this time',
						status: 'live',
					},
				}),
		],
	},
	campaignFile: fileSamples('campaignId', liveCampaign),
	channel: {
		archive: [inChannel()],
		create: [
			(emulator) => sample({ name: 'New joiners', additionalFields: channelContent(emulator) }),
		],
		createBroadcast: [
			inChannel(() => ({
				title: 'Welcome!',
				message: 'Good to have you here.',
				additionalFields: broadcastContent,
			})),
		],
		createCampaign: [
			inChannel((emulator) => ({
				name: 'Your first day',
				campaignDescription: 'What to bring',
				status: 'scheduled',
				scheduledTime: '2099-01-31T09:15:00',
				additionalFields: { ...campaignContent(emulator), ...campaignOwners(emulator) },
			})),
		],
		get: [inChannel()],
		getAll: [
			(emulator) => {
				emulator.state.addChannel({ name: 'Newest', ...sharedWith(emulator) });
				return sample(list);
			},
		],
		restore: [
			(emulator) => {
				const { _id } = emulator.state.addChannel({
					name: 'Put away',
					status: '3',
					...sharedWith(emulator),
				});
				return sample({ channelId: locator(_id) });
			},
		],
		update: [
			inChannel((emulator) => ({
				updateFields: { name: 'New joiners', ...channelContent(emulator) },
			})),
		],
	},
	channelManager: {
		getAll: [inChannel(() => ({ ...list, filters: activeOnly }))],
		remove: [
			inChannel((emulator) => ({
				user: first(first(emulator.state.channels.values()).managers)[0],
			})),
		],
		set: [
			inChannel((emulator) => ({
				user: emulator.state.plainUser.email,
				permissions: ['channel_admin', 'channel_recipient_add'],
			})),
		],
	},
	channelManagerGroup: {
		getAll: [inChannel(() => ({ ...list, filters: { conditions: '{"deleted":false}' } }))],
		remove: [
			inChannel((emulator) => ({
				groupId: locator(first(first(emulator.state.channels.values()).managerGroups)[0]),
			})),
		],
		set: [
			inChannel((emulator) => ({
				groupId: locator(emulator.state.addConsoleUserGroup('Local HR')._id),
				permissions: ['channel_recipient_edit'],
			})),
		],
	},
	channelRecipient: {
		add: [inChannel(channelPeople)],
		getAll: [inChannel(() => ({ ...list, filters: activeOnly }))],
		remove: [inChannel(channelPeople)],
	},
	profile: { get: [() => sample({})] },
	recipientGroup: {
		addRecipients: everyKindOfMembers((members) => ({ ...members, options: { reset: true } })),
		create: [
			(emulator) =>
				sample({
					name: 'Everybody in Oslo',
					additionalFields: { leads: ids(emulator).join('\n') },
				}),
		],
		delete: [(emulator) => sample({ recipientGroupId: locator(group(emulator)) })],
		get: [(emulator) => sample({ recipientGroupId: locator(group(emulator)) })],
		getAll: [() => sample({ ...list, filters: { own: true } })],
		getOrCreate: [() => sample({ name: 'Everybody in Oslo' })],
		removeRecipients: everyKindOfMembers((members) => members),
		sync: [
			(emulator) =>
				syncSample(
					emulator,
					{ mode: 'mirror', maxRemovalPercent: 100 },
					{ output: 'perRecipient' },
				),
			(emulator) => ({
				...syncSample(emulator, { mode: 'add' }, { output: 'summary' }),
				otherForm: true,
			}),
		],
	},
	survey: {
		create: everyKindOfQuestions((questions, emulator) => ({
			name: 'How was your first week?',
			campaignDescription: 'Five short questions',
			...questions,
			surveySettings,
			additionalFields: {
				title: 'Tell us',
				templateId: surveyTemplate(emulator),
				templateData: '{ "city": "Oslo" }',
			},
		})),
		getResponses: [
			(emulator) =>
				sample({
					campaignId: locator(survey(emulator)),
					output: 'responses',
					returnAll: true,
					options: { who: 'submitted' },
				}),
			(emulator) => ({
				...sample({ campaignId: locator(survey(emulator)), output: 'table', returnAll: true }),
				otherForm: true,
			}),
			(emulator) => ({
				...sample({ campaignId: locator(survey(emulator)), output: 'raw' }),
				otherForm: true,
			}),
		],
		getSummary: [
			(emulator) => {
				const campaign = survey(emulator);
				// A row of the matrix that only one person answered.
				emulator.submitResponse(campaign, { answers: { 'How satisfied are you?': { Pay: 1 } } });
				return sample({ campaignId: locator(campaign), options: { minimumResponses: 3 } });
			},
			(emulator) =>
				sample({ campaignId: locator(survey(emulator)), options: { minimumResponses: 1_000 } }),
		],
		launch: everyKindOfQuestions((questions, emulator) => ({
			name: 'How was your first week?',
			campaignDescription: 'Five short questions',
			...questions,
			recipientsFrom: 'emails',
			recipientEmails: emails(emulator).join(', '),
			sendNow: true,
			surveySettings,
			additionalFields: {
				title: 'Tell us',
				templateId: surveyTemplate(emulator),
				templateData: '{ "city": "Oslo" }',
			},
		})),
		update: everyKindOfQuestions((questions, emulator) => ({
			campaignId: locator(draftCampaign(emulator)),
			...questions,
			surveySettings,
		})),
	},
	template: { getAll: [() => sample({ ...list, filters: { category: 'HR' } })] },
};
