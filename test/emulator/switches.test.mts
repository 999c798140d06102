import { defaultSwitches, type Switches } from '../../emulator/switches.mts';
import { first, firstSurvey } from '../kit/required.mts';
import { any, clientOf, nobody, useEmulator } from './client.mts';

const { emulator, call, list, ok, expectViolations } = useEmulator({
	seed: { people: 6, groups: 1, campaigns: 3, surveys: 1, responsesPerSurvey: 2, channels: 1 },
});

interface Shown {
	[field: string]: unknown;
	_id: string;
}
interface SurveyData {
	questions?: Record<string, unknown> | null;
	result: Record<string, unknown>[];
}

const state = () => emulator.state;
const [unknownEmail, text] = ['No@Body.example', any(String)];
const people = () => [...state().people.values()];
const channel = () => `/channel/${first(state().channels.values())._id}`;
const surveyPath = () => `/campaign/${firstSurvey(emulator).campaign._id}`;
const surveyData = async () => ok<SurveyData>(`GET ${surveyPath()}/surveyData`);
const keysOf = (row: object) => Object.keys(row).filter((key) => key.startsWith('q.'));

/** Sends a request. Returns the data of the response, or the error message if the request is refused. */
async function outcome(request: string, body?: unknown): Promise<unknown> {
	const { data } = await call<{ success: boolean; message?: string; data?: unknown }>(
		request,
		body,
	);
	return data.success ? (data.data ?? 'done') : data.message;
}
const lengthOf = async (path: string) => (await ok<unknown[]>(`GET ${path}`)).length;

const required = { name: 'x', description: 'x' };

/** Adds the first person and an unknown recipient to a new group, and returns the outcome. */
async function addUnknown(field: 'recipientEmails' | 'recipientIds'): Promise<unknown> {
	const { _id } = state().addRecipientGroup('New');
	const { email, _id: id } = first(people());
	const values = field === 'recipientEmails' ? [email, unknownEmail] : [id, nobody];
	return await outcome(`POST /recipientGroup/${_id}/recipients`, { [field]: values });
}
const counts = (errorLog?: object) => ({
	...{ successCount: 1, errorCount: errorLog ? 1 : 0 },
	...(errorLog && { errorLog: [errorLog] }),
});
const refusal = 'Not all emails founded as recipient in system';

const basic = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');
const withKey = (accessKey: string) => clientOf({ url: emulator.url, accessKey });
async function newToken(): Promise<string> {
	const credentials = basic(emulator.clientId, emulator.clientSecret);
	const { data } = await withKey(credentials).call<Record<string, string>>('POST /oauth/token');
	return data.access_token ?? '';
}
const statusFor = async (token: string) => (await withKey(token).call('GET /me')).status;

type Row = [name: keyof Switches, value: unknown, look: () => Promise<unknown>, seen: unknown];

/** Returns a test case for each value of a switch. With this value, `look` must return `seen`. */
function effect<Name extends keyof Switches>(
	name: Name,
	look: () => Promise<unknown>,
	...shows: [value: Switches[Name], seen: unknown][]
): Row[] {
	return shows.map(([value, seen]) => [name, value, look, seen]);
}

const effects: Row[] = [
	...effect(
		'errorLogShape',
		async () => {
			emulator.switches.unknownEmails = 'errorLog';
			return await addUnknown('recipientEmails');
		},
		['field', counts({ email: unknownEmail })],
		['recipientField', counts({ recipientEmail: unknownEmail, message: text })],
		['valueError', counts({ value: unknownEmail, error: text })],
		['nested', counts({ recipient: { email: unknownEmail }, reason: text })],
		['text', counts({ message: `Recipient ${unknownEmail} not found in system` })],
		['index', counts({ index: 1, message: text })],
		['opaque', counts({ code: 'RECIPIENT_NOT_FOUND' })],
		['lowerCase', counts({ email: 'no@body.example' })],
	),
	...effect('unknownIds', () => addUnknown('recipientIds'), ['errorLog', counts({ _id: nobody })]),
	...effect(
		'unknownCampaignEmails',
		() => outcome('POST /campaign', { ...required, recipientEmails: [unknownEmail] }),
		['refuseCall', refusal],
		['ignore', { _id: text, campaignUrl: text }],
	),
	...effect(
		'unknownChannelRecipients',
		() => outcome(`POST ${channel()}/recipient`, { recipients: [unknownEmail], lists: [nobody] }),
		['refuseCall', 'Invalid parameters'],
		['ignore', 'done'],
	),
	...effect(
		'channelAddressShown',
		async () => {
			const { _id } = await ok<Shown>('POST /channel', {});
			const person = first(people());
			const former = person.email;
			Object.assign(person, { email: 'new@people.example' });
			await call(`POST /channel/${_id}/recipient`, { recipients: [former] });
			const { email } = first(await ok<Shown[]>(`GET /channel/${_id}/recipient`));
			Object.assign(person, { email: former });
			return email === former ? 'former' : email;
		},
		['primary', 'new@people.example'],
		['asAdded', 'former'],
	),
	...effect(
		'channelListsWithoutEmail',
		async () => {
			const { _id } = await ok<Shown>('POST /channel', {});
			const person = state().people.add({ email: 'x@people.example' });
			Object.assign(person, { email: '' });
			await call(`POST /channel/${_id}/recipient`, { recipients: [person._id] });
			return await ok<Shown[]>(`GET /channel/${_id}/recipient`);
		},
		[true, [expect.not.objectContaining({ email: expect.anything() })]],
		[false, []],
	),
	...effect(
		'listedAtMost',
		async () => {
			const { data, total } = await list<unknown[]>(`GET ${channel()}/recipient?limit=5`);
			return [data?.length, total, await lengthOf(`${channel()}/recipient?skip=2`)];
		},
		[{}, [5, 6, 4]],
		[{ channelRecipient: 2 }, [2, 6, 0]],
	),
	...effect(
		'channelListLag',
		async () => {
			const { _id } = await ok<Shown>('POST /channel', {});
			await call(`POST /channel/${_id}/recipient`, { recipients: [first(people()).email] });
			const length = async () => await lengthOf(`/channel/${_id}/recipient`);
			return [await length(), await length()];
		},
		[0, [1, 1]],
		[1, [0, 1]],
	),
	...effect(
		'limitAboveMaximum',
		async () => [await outcome('GET /campaign?limit=1001'), await outcome('GET /me?limit=1001')],
		['refuse', ['Illegal parameters', text]],
		['clamp', [expect.any(Array), text]],
	),
	...effect('channelListDefaultLimit', () => lengthOf(`${channel()}/recipient`), [20, 6], [2, 2]),
	...effect(
		'totalInLists',
		async () => (await list('GET /recipientGroup')).total,
		[true, 1],
		[false, undefined],
	),
	...effect(
		'totalMeans',
		async () => (await list(`GET ${channel()}/recipient?skip=1&limit=2`)).total,
		['all', 6],
		['page', 2],
		['rest', 5],
	),
	...effect(
		'previousLastIdMeans',
		async () => {
			const newestFirst = state().campaigns.values().toReversed();
			const query = `?previousLastId=${newestFirst[1]?._id}`;
			const page = await ok<Shown[]>(`GET /campaign${query}`);
			return newestFirst.findIndex(({ _id }) => _id === page[0]?._id);
		},
		['after', 2],
		['from', 1],
		['nothing', 0],
	),
	...effect(
		'skipMeans',
		async () => (await ok<Shown[]>(`GET ${channel()}/recipient?skip=2`)).length,
		['records', 4],
		['nothing', 6],
	),
	...effect(
		'recipientGroupOrder',
		async () => {
			for (const name of ['Beta', 'Alpha']) state().addRecipientGroup(name);
			return (await ok<Shown[]>('GET /recipientGroup')).map(({ name }) => name);
		},
		['oldestFirst', ['Sales', 'Beta', 'Alpha']],
		['newestFirst', ['Alpha', 'Beta', 'Sales']],
		['byName', ['Alpha', 'Beta', 'Sales']],
	),
	...effect(
		'expiredToken',
		async () => {
			const token = await newToken();
			emulator.expireTokens();
			return [await statusFor(token), await statusFor(await newToken())];
		},
		...(['401', '403', '200'] as const).map((mode): [typeof mode, unknown] => [
			mode,
			[Number(mode), 200],
		]),
	),
	...effect('invalidToken', () => statusFor('wrong'), ['401', 401], ['403', 403], ['200', 200]),
	...effect(
		'missingToken',
		async () => (await fetch(`${emulator.url}/int/v1/me`)).status,
		['401', 401],
		['403', 403],
		['200', 200],
	),
	...effect(
		'tokenRefusal',
		async () => (await withKey('wrong').call('POST /oauth/token')).status,
		['401', 401],
		['400', 400],
		['403', 403],
		['200', 200],
	),
	...effect(
		'authenticationFailureBody',
		async () => (await withKey('wrong').call('GET /me')).data,
		['envelope', { success: false, message: 'Invalid access token' }],
		['text', 'Invalid access token'],
		['empty', ''],
	),
	...effect(
		'tokenLifetimeSeconds',
		async () => {
			const token = await newToken();
			emulator.clock.advance(59_999);
			const before = await statusFor(token);
			emulator.clock.advance(1);
			return [before, await statusFor(token)];
		},
		[60, [200, 401]],
		[61, [200, 200]],
	),
	...effect(
		'errorStatusHttp',
		async () => (await call(`GET /campaign/${nobody}`)).status,
		[200, 200],
		[400, 400],
	),
	...effect(
		'categoriesFormat',
		async () => {
			const create = async (categories: unknown) => {
				const created = await outcome('POST /campaign', { ...required, categories });
				return typeof created === 'object' && state().campaigns.values().at(-1)?.categories;
			};
			return [await create(['HR']), await create('["HR"]'), await create('HR, IT,')];
		},
		['either', [['HR'], ['HR'], ['HR', 'IT']]],
		['array', [['HR'], false, false]],
		['string', [false, ['HR'], ['HR', 'IT']]],
	),
	...effect(
		'firstQuestionAnswered',
		async () => {
			await surveyData();
			emulator.switches.questionNumbering = 'from1';
			return keysOf(first((await surveyData()).result));
		},
		[true, ['q.1', 'q.2', 'q.3', 'q.4', 'q.5']],
		[false, ['q.2', 'q.3', 'q.4', 'q.5']],
	),
	...effect(
		'leadsInLists',
		async () => 'leads' in first(await ok<Shown[]>('GET /recipientGroup')),
		[true, true],
		[false, false],
	),
];

test.each(effects)('applies the switch %s with the value %j', async (name, value, look, seen) => {
	Object.assign(emulator.switches, { [name]: value });
	expect(await look()).toEqual(seen);
});

const lists = ['/campaign?category=nope', '/broadcast?minLiveDate=2100-01-01T00:00:00.000Z'];

test.each([
	['array', { data: [] }],
	['null', { data: null }],
	['absent', {}],
] as const)('applies the switch emptyList with the value %s', async (form, rest) => {
	emulator.switches.emptyList = form;
	state().channels.delete(first(state().channels.values())._id);
	const expectEmpty = async (path: string) => {
		const { total: _total, ...envelope } = (await call<Shown>(`GET ${path}`)).data;
		expect([path, envelope]).toEqual([path, { success: true, ...rest }]);
	};
	await expectEmpty('/channel');
	const { _id } = state().addChannel({ name: 'Empty' });
	const parts = ['manager', 'managerGroup', 'recipient'].map((part) => `/channel/${_id}/${part}`);
	const others = ['/recipientGroup?skip=99', '/template?category=nope'];
	for (const path of [...lists, ...others, ...parts, `${surveyPath()}/file`])
		await expectEmpty(path);
	expectViolations(0);
});

test.each([
	['seconds', /^[1-9]\d*$/],
	['date', / GMT$/],
	['none', /^undefined$/],
] as const)('applies the switch rateLimit with Retry-After as %s', async (retryAfter, header) => {
	emulator.switches.rateLimit = { requests: 3, perMilliseconds: 60_000, retryAfter };
	const answers = await Promise.all(Array.from({ length: 5 }, () => call('GET /me')));
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.data).toEqual({ success: false, message: 'Too many requests' });
	expect(String(refused?.headers['retry-after'])).toMatch(header);
	emulator.reset();
	expect((await call('GET /me')).status).toBe(200);
});

/** Switches that tests of the nodes cover. If one of these switches has no effect, a test of the nodes fails. */
const provedByNodes = [
	...['anonymousRowsNamed', 'broadcastStatusCodes', 'extraBroadcastFields', 'leadsTruncated'],
	...['pageCap', 'questionNumbering', 'statusScheduled', 'surveyDataLists', 'surveyQuestionsForm'],
	...['tokensPerClient', 'unknownEmails'],
	...['updateWithoutDescription', 'updateSurveyResponse'],
];

test('every switch has a test', () => {
	const tested = new Set([
		...effects.map(([name]) => name),
		...['emptyList', 'rateLimit'],
		...provedByNodes,
	]);
	expect([...tested].sort()).toEqual(Object.keys(defaultSwitches()).sort());
});
