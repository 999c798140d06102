import FormData from 'form-data';
import { first, nobody, useEmulator, withIds } from './client.mts';

const { emulator, call, refused } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 0, surveys: 0, broadcasts: 0, channels: 1 },
});

/** What the names in the requests below stand for. */
const ids = () => {
	const { state } = emulator;
	const campaign = state.addCampaign({ name: 'Live' })._id;
	const file = state.addFile({
		_id: state.ids.next(),
		ownerId: campaign,
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
		campaign,
		draft: state.addCampaign({ name: 'Draft', status: '0' })._id,
		closed: state.addBroadcast({ title: 'Closed', message: 'x', status: '3' })._id,
		file: file._id,
		group: first(state.recipientGroups.values())._id,
		channel: first(state.channels.values())._id,
		nobody,
	};
};

const upload = (): FormData => {
	const data = new FormData();
	data.append('file', Buffer.from('x'), 'x');
	return data;
};

const fileRequests = ['campaign', 'broadcast'].flatMap((owner): [string, object?][] => [
	[`GET /${owner}/{nobody}/file`],
	[`GET /${owner}/{nobody}/file/x`],
	[`POST /${owner}/{nobody}/file`, upload()],
	[`POST /${owner}/{nobody}/file/x`, upload()],
	[`DELETE /${owner}/{nobody}/file/x`],
]);

/** The known messages (openapi.yaml, Failures), each with requests that fail so. */
const failures: [message: string, requests: [string, object?][]][] = [
	[
		'Illegal parameters',
		[
			['GET /campaign?status=9'],
			['GET /campaign?limit=0'],
			['GET /campaign?all=true&onlyApi=true'],
			['GET /broadcast?maxLiveDate=today'],
			['GET /broadcast?category=HR'],
		],
	],
	['Not Found.', [['GET /campaign/{nobody}'], ['GET /broadcast/{nobody}']]],
	[
		'description is mandatory',
		[
			['POST /campaign', { name: 'x' }],
			['POST /campaign', { name: 'x', description: '' }],
			['PUT /campaign/{draft}', { description: '' }],
		],
	],
	['Campaign is not a survey', [['GET /campaign/{campaign}/surveyData']]],
	['campaign Id is required', fileRequests],
	[
		'Please confirm delete for file used in campaign content.',
		[['DELETE /campaign/{campaign}/file/{file}']],
	],
	[
		"Invalid campaign ID for survey creation, 'draft' campaign required",
		[['PUT /campaign/survey/{campaign}', { questions: [{ templateCode: 'input', title: 'x' }] }]],
	],
	[
		'Not all emails founded as recipient in system',
		['POST', 'DELETE'].map((method): [string, object] => [
			`${method} /recipientGroup/{group}/recipients`,
			{ recipientEmails: ['x@y.example'] },
		]),
	],
	[
		'RecipientGroup validation failed: name: Path `name` is required.',
		[['POST /recipientGroup', {}]],
	],
	['Object does not exist', [['DELETE /recipientGroup/{nobody}']]],
	['Title is mandatory', [['POST /broadcast', { message: 'x' }]]],
	[
		'Invalid request parameters',
		[
			['PUT /broadcast/{closed}', { status: 'draft' }],
			['PUT /broadcast/{closed}', { status: 'live' }],
			['PUT /broadcast/{closed}', { title: 'x' }],
		],
	],
	['Broadcast not found', [['DELETE /broadcast/{nobody}']]],
	['Campaign already closed', [['PUT /broadcast/{closed}/close']]],
	[
		'Invalid parameters',
		[
			['GET /channel/{nobody}'],
			['GET /channel?limit=1'],
			['POST /channel', { name: 1 }],
			['POST /channel', { defaults: { enablePushNotification: true } }],
			['PUT /channel/{channel}', { defaults: { template: 'nope' } }],
			['GET /channel/{channel}/manager?limit=x'],
			['PUT /channel/{channel}/manager', { user: 'x' }],
			['DELETE /channel/{channel}/managerGroup/{nobody}'],
			['POST /channel/{channel}/recipient', { recipients: 'x@y.example' }],
			['POST /channel/{channel}/campaign', { name: 'x' }],
			['POST /channel/{channel}/broadcast', { title: 'x' }],
		],
	],
];

test.each(failures)('%s', async (message, requests) => {
	const known = ids();
	for (const [request, body] of requests)
		expect([request, await refused(withIds(request, known), body)]).toEqual([request, message]);
});

test('a gateway may turn the status of a failure', async () => {
	emulator.switches.errorStatusHttp = 400;
	expect(await call(`GET /campaign/${nobody}`)).toMatchObject({
		status: 400,
		data: { success: false, message: 'Not Found.' },
	});
});
