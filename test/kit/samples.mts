import type { INodeExecutionData, INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Emulator, SeedOptions } from '../../emulator/emulator.mts';
import { locator } from './engine.mts';
import { first } from './required.mts';
import { questions as everyQuestion, questionsText } from './questions.mts';
import { declared, parametersOf, variantsOf, type FillIn } from './sampleParameters.mts';

/** Example parameters of one operation. */
export type Sample = {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Whether the output has the operation's default form, which its schema describes. */
	isDefaultForm: boolean;
};

/** Creates a sample for this emulator, adding the records that the operation needs. */
export type SampleMaker = (emulator: Emulator) => Sample;

/** The records that the samples need. */
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

/** Every operation of the node, as `resource.operation`. */
export const operations = [...declared.keys()].sort();

/**
 * Returns samples of an operation. Together, the samples fill in all fields of the operation, except those in LEFT_OUT.
 */
export function samplesOf(operation: string): SampleMaker[] {
	const [resource = '', name = ''] = operation.split('.');
	return Array.from(
		{ length: variantsOf(resource, name) },
		(_, variant): SampleMaker =>
			(emulator) => {
				Object.assign(emulator.switches, LENIENT);
				if (operation === 'campaign.getAll') campaignFor(emulator, operation);
				const fillIn = valuesIn(emulator, operation);
				const {
					resource: _resource,
					operation: _operation,
					...parameters
				} = parametersOf(resource, name, variant, fillIn);
				const output = textIn(parameters, 'output') ?? textIn(parameters.options, 'output');
				return {
					parameters,
					items: itemsFor(emulator, operation, parameters),
					isDefaultForm: output === undefined || DEFAULT_OUTPUTS.includes(output),
				};
			},
	);
}

/** With these switches, the service accepts unknown recipients, because samples contain an unknown recipient. */
const LENIENT = {
	unknownEmails: 'errorLog',
	unknownIds: 'errorLog',
	errorLogShape: 'recipientField',
	unknownCampaignEmails: 'ignore',
	unknownChannelRecipients: 'ignore',
} as const;

/** The defaults of all fields named Output. */
const DEFAULT_OUTPUTS = ['responses', 'perRecipient'];

/** Fields that change the operation or its output. Separate tests cover these fields. */
const LEFT_OUT = ['draftId', 'onlyOnceClosed', 'dryRun', 'people'];

type Value = ReturnType<FillIn>;

/**
 * Returns a function that fills in parameters with values that exist in this emulator. The value depends on the name of the
 * parameter, or on the name of the method that loads its options. Other parameters get the generic value of their type.
 */
function valuesIn(emulator: Emulator, operation: string): FillIn {
	const { state } = emulator;
	const people = state.people.values().slice(0, 3);
	const emails = [...people.map(({ email }) => email), 'nobody@example.com'].join(', ');
	const ids = people.map(({ _id }) => _id).join('\n');
	const group = first(state.recipientGroups.values())._id;
	const channel = channelFor(emulator, operation);
	const values: Record<string, (field: INodeProperties, filled: INodeParameters) => Value> = {
		campaignId: () => locator(campaignFor(emulator, operation)),
		broadcastId: () => locator(broadcastFor(emulator, operation)),
		recipientGroupId: () => locator(group),
		channelId: () => locator(channel._id),
		groupId: () => locator(first(channel.managerGroups)[0]),
		fileId: (_field, { campaignId, broadcastId }) =>
			locator(addFile(emulator, textIn(campaignId ?? broadcastId, 'value') ?? '')),
		user: () => first(channel.managers)[0],
		recipientEmails: () => emails,
		recipientIds: () => ids,
		leads: () => ids,
		recipients: ({ type }) => (type === 'string' ? emails : undefined),
		recipient: (_field, { identifyBy }) => `={{ $json.${String(identifyBy)} }}`,
		email: () => 'new@example.com',
		senderUserEmail: () => state.plainUser.email,
		ownerUserEmail: () => state.superUser.email,
		// Chooses a status that sends nothing immediately, if there is one.
		status: ({ options = [] }) =>
			['scheduled', '1'].find((status) =>
				options.some((option) => 'value' in option && option.value === status),
			),
		minLiveDate: () => '2000-01-01T00:00:00Z',
		maxRemovalPercent: () => 100,
		minimumResponses: () => 3,
		breakDownBy: () => 'Would you recommend us?',
		enpsQuestions: () => ['How do you feel?'],
		conditions: ({ type }) => (type === 'json' ? '{"deleted":{"$ne":true}}' : 'lastName=Berg'),
		questionsText: () => questionsText,
		questionsJson: () => JSON.stringify(everyQuestion),
		emailColumn: () => 'email',
		statusColumn: () => 'status',
		requiredColumns: () => 'email, status',
		employedValues: () => 'active, on leave',
		leftValues: () => 'left',
		minimumPeople: () => 1,
		getTemplates: () => first(state.templates.values())._id,
		getRecipientGroups: () => [group],
		getCategories: () => 'HR',
	};
	return (field, filled) => {
		if (LEFT_OUT.includes(field.name)) return null;
		const { loadOptionsMethod = '' } = field.typeOptions ?? {};
		return (values[field.name] ?? values[loadOptionsMethod])?.(field, filled);
	};
}

const STATUS_CODES = { draft: '0', live: '1', closed: '3', scheduled: '4' } as const;

/** Returns the status that a campaign or broadcast must have for an operation. */
function statusFor(operation: string) {
	const [state = 'live'] = declared.get(operation)?.acceptsStatus ?? [];
	return Object.entries(STATUS_CODES).find(([name]) => name === state)?.[1] ?? '1';
}

function campaignFor(emulator: Emulator, operation: string): string {
	const { state } = emulator;
	if (/^survey\.(get|remind)/.test(operation)) return surveyWithGaps(emulator);
	// This sample sends the campaign by setting its status to live, which the service refuses for a
	// live campaign.
	const status = operation === 'campaign.update' ? '0' : statusFor(operation);
	const { _id } = state.addCampaign({
		name: 'Sample',
		description: 'For one operation',
		categories: ['HR'],
		imageUrl: 'https://example.com/a.png',
		viaApi: true,
		status,
		recipients: new Set([first(state.people.values())._id]),
		...sharedWith(state),
	});
	addFile(emulator, _id);
	return _id;
}

function broadcastFor(emulator: Emulator, operation: string): string {
	const { state, clock } = emulator;
	const status = statusFor(operation);
	const { _id } = state.addBroadcast({
		title: 'Sample',
		message: 'For one operation',
		viaApi: true,
		status,
		...(status === '4' ? { scheduledAt: clock.now() + 86_400_000 } : {}),
		sharedUserIds: [state.plainUser._id],
	});
	addFile(emulator, _id);
	return _id;
}

function channelFor({ state }: Emulator, operation: string) {
	const channel = first(state.channels.values());
	const isArchived = declared.get(operation)?.acceptsStatus?.includes('archived');
	return Object.assign(channel, sharedWith(state), { status: isArchived ? '3' : '1' } as const);
}

/** Returns values for lists that would otherwise be empty. An empty list does not show the shape of its entries. */
const sharedWith = (state: Emulator['state']) => ({
	sharedUserIds: [state.plainUser._id],
	sharedGroups: ['team-1'],
});

/**
 * Adds a survey with gaps. One person has only opened the survey. The last question and a row of the matrix have fewer
 * answers than the sample's Minimum Responses. One person wrote an answer that is not among the options.
 */
function surveyWithGaps(emulator: Emulator): string {
	const { state } = emulator;
	const more: Parameters<typeof state.addSurvey>[0]['questions'] = [
		{ templateCode: 'rank', title: 'What comes first?', options: ['Pay', 'Time'] },
		{ templateCode: 'radio', title: 'How much of it?', options: [1, 2, 3] },
		{ templateCode: 'input', title: 'Anything else?' },
	];
	const [{ questions } = { questions: [] }] = state.campaigns
		.values()
		.flatMap(({ survey }) => survey ?? []);
	const campaign = state.addSurvey({ name: 'Gaps', questions: [...questions, ...more] });
	for (const [index, { _id }] of state.people.values().slice(0, 6).entries()) {
		const matrix = { Leadership: 4, ...(index === 0 && { Tools: 2 }) };
		const likes = index === 0 ? ['Team', 'My desk'] : ['Team'];
		emulator.submitResponse(campaign._id, {
			userId: _id,
			answers: [9, 'Yes', likes, matrix, 'x', ['Time', 'Pay'], 3],
		});
	}
	emulator.submitResponse(campaign._id, { submitted: false });
	return campaign._id;
}

function itemsFor(emulator: Emulator, operation: string, parameters: INodeParameters) {
	if (operation === 'hrList.read') return [hrListItem(parameters)];
	const [resource = '', name = ''] = operation.split('.');
	return name === 'sync' ? peopleItems(emulator, resource) : [fileItem];
}

/** Returns an item with a person of an HR list, as a record and as a file that fits the options. */
function hrListItem({ options }: INodeParameters): INodeExecutionData {
	const json = { email: 'ada@example.com', status: 'active' };
	const delimiter = textIn(options, 'delimiter')?.replace('auto', ',').replace('tab', '\t');
	const text = [Object.keys(json), Object.values(json)]
		.map((row) => row.join(delimiter))
		.join('\n');
	const isUtf16 = textIn(options, 'encoding') === 'utf-16le';
	const data = Buffer.from(text, isUtf16 ? 'utf16le' : 'utf8').toString('base64');
	return { json, binary: { data: { data, mimeType: 'text/csv', fileName: 'staff.csv' } } };
}

function peopleItems({ state }: Emulator, resource: string): INodeExecutionData[] {
	const known = state.people.values().slice(0, 3);
	// A channel that ignores unknown people fails them.
	const isGroup = resource === 'recipientGroup';
	return [
		...known.map(({ email, _id: id }) => ({ email, id })),
		...(isGroup ? [{ email: 'nobody@example.com', id: '000000000000000000000000' }] : []),
		{ email: 'no address', id: ' ' },
	].map((json) => ({ json }));
}

/** The first bytes of a picture of 64 by 32 pixels. */
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000002008060000', 'hex');

export const fileItem: INodeExecutionData = {
	json: {},
	binary: {
		data: { data: PICTURE.toString('base64'), mimeType: 'image/png', fileName: 'welcome.png' },
	},
};

/** Adds a file to a campaign or broadcast and marks it as used in the content, as the console does. */
export function addFile(
	{ state, clock }: Pick<Emulator, 'state' | 'clock'>,
	ownerId: string,
	name = 'map.png',
): string {
	const now = clock.now();
	const { _id } = state.files.add({
		_id: state.ids.next(),
		ownerId,
		name,
		media: 'raw',
		draftUsed: false,
		activeUsed: true,
		upload: { filename: name, mime: 'image/png', size: PICTURE.length, sha256: '' },
		createdAt: now,
		changedAt: now,
		version: 0,
		versionId: 'version-0',
		storageId: 'storage-0',
	});
	return _id;
}

/** Returns the text under this key of a parameter, or undefined if there is no text. */
function textIn(value: INodeParameters[string] | undefined, key: string): string | undefined {
	const found: unknown = typeof value === 'object' && value !== null && Reflect.get(value, key);
	return typeof found === 'string' ? found : undefined;
}
