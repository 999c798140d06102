import FormData from 'form-data';
import { first, useEmulator } from './client.mts';

const context = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 0, surveys: 0, broadcasts: 0, channels: 1 },
});

const nobody = '000000000000000000000000';

const ids = () => {
	const { state } = context.emulator;
	const campaign = state.addCampaign({ name: 'Live' });
	const draft = state.addCampaign({ name: 'Draft', status: '0' });
	const closed = state.addBroadcast({ title: 'Closed', message: 'x', status: '3' });
	const file = state.addFile({
		_id: state.ids.next(),
		ownerId: campaign._id,
		name: 'x',
		media: 'raw',
		draftUsed: true,
		activeUsed: false,
		upload: {
			filename: 'x',
			mime: 'text/plain',
			encoding: '7bit',
			size: 1,
			sha256: '',
			content: Buffer.from('x'),
			contentComplete: true,
		},
		createdAt: 0,
		changedAt: 0,
		version: 0,
		versionId: 'v',
		storageId: 's',
	});
	return {
		campaign: campaign._id,
		draft: draft._id,
		closed: closed._id,
		file: file._id,
		group: first(state.recipientGroups.values())._id,
		channel: first(state.channels.values())._id,
	};
};

type Ids = ReturnType<typeof ids>;
type Call = ['GET' | 'POST' | 'PUT' | 'DELETE', string, object?];

const upload = (): FormData => {
	const data = new FormData();
	data.append('file', Buffer.from('x'), 'x');
	return data;
};

/** The known messages (openapi.yaml, Failures), row by row, each with calls that fail so. */
const rows: [string, string | RegExp, (record: Ids) => Call[]][] = [
	[
		'List campaigns, list broadcasts',
		'Illegal parameters',
		() => [
			['GET', '/campaign?status=9'],
			['GET', '/campaign?limit=0'],
			['GET', '/campaign?all=true&onlyApi=true'],
			['GET', '/broadcast?maxLiveDate=today'],
			['GET', '/broadcast?category=HR'],
		],
	],
	[
		'Get campaign, get broadcast',
		'Not Found.',
		() => [
			['GET', `/campaign/${nobody}`],
			['GET', `/broadcast/${nobody}`],
		],
	],
	[
		'Create and update campaign',
		'description is mandatory',
		(record) => [
			['POST', '/campaign', { name: 'x' }],
			['POST', '/campaign', { name: 'x', description: '' }],
			['PUT', `/campaign/${record.draft}`, { description: '' }],
		],
	],
	[
		'Survey data',
		'Campaign is not a survey',
		(record) => [['GET', `/campaign/${record.campaign}/surveyData`]],
	],
	[
		'File operations (campaign and broadcast)',
		'campaign Id is required',
		() => [
			['GET', `/campaign/${nobody}/file`],
			['GET', `/campaign/${nobody}/file/x`],
			['POST', `/campaign/${nobody}/file`, upload()],
			['POST', `/campaign/${nobody}/file/x`, upload()],
			['DELETE', `/campaign/${nobody}/file/x`],
			['GET', `/broadcast/${nobody}/file`],
			['GET', `/broadcast/${nobody}/file/x`],
			['POST', `/broadcast/${nobody}/file`, upload()],
			['POST', `/broadcast/${nobody}/file/x`, upload()],
			['DELETE', `/broadcast/${nobody}/file/x`],
		],
	],
	[
		'Delete file in use without deleteFileInUse=true',
		'Please confirm delete for file used in campaign content.',
		(record) => [['DELETE', `/campaign/${record.campaign}/file/${record.file}`]],
	],
	[
		'Create survey on a non-draft campaign',
		"Invalid campaign ID for survey creation, 'draft' campaign required",
		(record) => [
			[
				'PUT',
				`/campaign/survey/${record.campaign}`,
				{ questions: [{ templateCode: 'input', title: 'x' }] },
			],
		],
	],
	[
		'Add or remove group recipients with unknown emails',
		'Not all emails founded as recipient in system',
		(record) => [
			['POST', `/recipientGroup/${record.group}/recipients`, { recipientEmails: ['x@y.example'] }],
			[
				'DELETE',
				`/recipientGroup/${record.group}/recipients`,
				{ recipientEmails: ['x@y.example'] },
			],
		],
	],
	[
		'Create recipient group with missing name',
		/validation failed.*`name` is required/i,
		() => [['POST', '/recipientGroup', {}]],
	],
	[
		'Delete recipient group',
		'Object does not exist',
		() => [['DELETE', `/recipientGroup/${nobody}`]],
	],
	['Create broadcast', 'Title is mandatory', () => [['POST', '/broadcast', { message: 'x' }]]],
	[
		'Update broadcast',
		'Invalid request parameters',
		(record) => [
			['PUT', `/broadcast/${record.closed}`, { status: 'draft' }],
			['PUT', `/broadcast/${record.closed}`, { status: 'live' }],
			['PUT', `/broadcast/${record.closed}`, { title: 'x' }],
		],
	],
	['Delete broadcast', 'Broadcast not found', () => [['DELETE', `/broadcast/${nobody}`]]],
	[
		'Close broadcast already closed',
		'Campaign already closed',
		(record) => [['PUT', `/broadcast/${record.closed}/close`]],
	],
	[
		'All channel operations',
		'Invalid parameters',
		(record) => [
			['GET', `/channel/${nobody}`],
			['GET', '/channel?limit=1'],
			['POST', '/channel', { name: 1 }],
			['POST', '/channel', { defaults: { enablePushNotification: true } }],
			['PUT', `/channel/${record.channel}`, { defaults: { template: 'nope' } }],
			['GET', `/channel/${record.channel}/manager?limit=x`],
			['PUT', `/channel/${record.channel}/manager`, { user: 'x' }],
			['DELETE', `/channel/${record.channel}/managerGroup/${nobody}`],
			['POST', `/channel/${record.channel}/recipient`, { recipients: 'x@y.example' }],
			['POST', `/channel/${record.channel}/campaign`, { name: 'x' }],
			['POST', `/channel/${record.channel}/broadcast`, { title: 'x' }],
		],
	],
];

describe('the Errors table', () => {
	test.each(rows)('%s: %s', async (_operation, message, calls) => {
		for (const [method, path, body] of calls(ids())) {
			const headers = body instanceof FormData ? body.getHeaders() : {};
			const answer = await context.client.refused(method, path, {
				...(body === undefined ? {} : { body }),
				headers,
			});
			if (message instanceof RegExp) expect(answer).toMatch(message);
			else expect(answer).toBe(message);
		}
	});

	test('a gateway may turn the status of a failure', async () => {
		context.emulator.switches.errorStatusHttp = 400;
		const answer = await context.client.call('GET', `/campaign/${nobody}`);
		expect(answer.status).toBe(400);
		expect(answer.data).toEqual({ success: false, message: 'Not Found.' });
	});
});
