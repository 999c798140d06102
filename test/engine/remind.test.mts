import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { firstSurvey } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const SURVEY_READS = [
	'GET /campaign/:id',
	'GET /campaign/:id/surveyData',
	'GET /campaign/:id/report',
];
const REPORT = 'GET /campaign/:id/report';

const remind = async (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	await service.run(
		'survey.remind',
		{ campaignId: locator(live()._id), title: 'T', message: 'M', ...parameters },
		options,
	);

const live = () => firstSurvey(service.emulator).campaign;

type Row = { id?: string | null; email?: string; submitted?: boolean; read?: boolean };

/** Replaces the rows of the survey. Its report counts as many recipients as there are rows, and `more`. */
function rows(list: Row[], more = 0): void {
	const campaign = live();
	campaign.survey?.clear();
	for (const [index, { id = `u${index}`, email, ...did }] of list.entries()) {
		const row = { userId: id, userEmail: email, submitted: false, read: false, ...did };
		service.emulator.submitResponse(campaign._id, row);
	}
	campaign.recipients = new Set(Array.from({ length: list.length + more }, (_, n) => String(n)));
}

const addresses = () =>
	(service.changes[0]?.body as { recipientEmails?: unknown } | undefined)?.recipientEmails;

beforeEach(() => {
	service.emulator.switches.unknownCampaignEmails = 'ignore';
});

test.each([
	[{}, 'draft'],
	[{ sendNow: true }, 'live'],
])(
	'with %j, creates a broadcast as %s to those who have not submitted',
	async (parameters, status) => {
		rows([
			{ email: 'ada@x.io' },
			{ email: 'bob@x.io', submitted: true },
			{ email: 'cy@x.io', read: true },
		]);
		const additionalFields = { emoji: '📣', requiredConfirm: true };
		const { json, hints } = await remind({ ...parameters, additionalFields });
		expect(service.calls).toEqual([...SURVEY_READS, 'POST /broadcast']);
		const recipientEmails = ['ada@x.io', 'cy@x.io'];
		const body = { title: 'T', message: 'M', status, recipientEmails, ...additionalFields };
		expect(service.lastRequest.body).toEqual(body);
		expect(json).toEqual([
			{
				...{ _id: expect.stringMatching(/^\w+$/), broadcastUrl: expect.stringContaining('http') },
				...{ sent: status === 'live', campaignId: live()._id, campaignName: live().name },
				...{ reminded: 2, withoutAddress: 0, notListed: 0 },
			},
		]);
		expect(hints).toEqual([]);
	},
);

const ADA = { id: 'u', email: 'ada@x.io' };
const ADA_L = { id: 'u', email: 'ada.l@x.io' };
const BOB = { email: 'bob@x.io' };
const submitted = true;

test.each<[what: string, rows: Row[], reminded: string[], withoutAddress: number]>([
	['an address twice, in other case', [ADA, { email: 'ADA@x.io' }], ['ada@x.io'], 0],
	['who submitted in another row of the same user', [ADA, { ...ADA_L, submitted }], [], 0],
	[
		'who submitted in another row with the same address',
		[{ email: 'Ada@x.io' }, { email: 'ada@x.io', submitted }, BOB],
		['bob@x.io'],
		0,
	],
	[
		'who submitted under another user ID, with another address of this user',
		[ADA, ADA_L, { id: 'v', email: 'ADA.L@x.io', submitted }],
		[],
		0,
	],
	[
		'who has a user ID for each of two addresses',
		[ADA, ADA_L, { ...ADA_L, id: 'v' }],
		['ada@x.io'],
		0,
	],
	['no address', [{ email: ' ' }, {}, { id: null }, BOB], ['bob@x.io'], 3],
	['an address that cannot be read', [{ email: 'no address' }, { email: 'a@x.io, b@x.io' }], [], 2],
	['a name before the address', [{ email: 'Ada <ada@x.io>' }], ['ada@x.io'], 0],
	['blank user IDs', [ADA, BOB].map((one) => ({ ...one, id: ' ' })), ['ada@x.io', 'bob@x.io'], 0],
	['one row with an address of two', [{ id: 'u' }, ADA], ['ada@x.io'], 0],
])('%s', async (_what, list, reminded, withoutAddress) => {
	rows(list);
	// Two rows of a user are one recipient.
	live().recipients = new Set();
	const { json, error } = await remind();
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ reminded: reminded.length, withoutAddress, notListed: 0 });
	expect(addresses() ?? []).toEqual(reminded);
});

test.each<[who: string, reminded: string[]]>([
	['notSubmitted', ['new@x.io', 'read@x.io']],
	['notOpened', ['new@x.io']],
])('with Who %s, reminds %j', async (who, reminded) => {
	rows([
		{ email: 'new@x.io' },
		{ email: 'read@x.io', read: true },
		{ email: 'done@x.io', read: true, submitted },
		{ email: 'odd@x.io', submitted },
	]);
	await remind({ options: { who } });
	expect(addresses()).toEqual(reminded);
});

describe('if the report', () => {
	const done = { email: 'bob@x.io', submitted: true };
	const NOBODY = /^The service lists nobody to remind of the survey “.+”, but may not list all/;
	const notSent = { _id: null, broadcastUrl: null, sent: false, reminded: 0 };

	test('lists nobody else, and nobody is left, creates no broadcast and does not fail', async () => {
		rows([done]);
		const { json, hints, error } = await remind({ sendNow: true });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ ...notSent, notListed: 0 });
		expect(hints).toEqual([]);
		expect(service.calls).toEqual(SURVEY_READS);
	});

	test('counts more, and nobody is left, fails and sends nothing', async () => {
		rows([done], 1);
		const { error } = await remind();
		expect(error?.message).toMatch(NOBODY);
		expect(error?.description).toContain('counts 1 more recipient than the service lists');
		expect(service.changes).toEqual([]);
	});

	test('counts two rows of one user as two recipients, one of them is not listed', async () => {
		rows(Array<Row>(2).fill({ ...done, id: 'u' }));
		expect((await remind()).error?.message).toMatch(NOBODY);
	});

	test('counts more, reminds those who are listed, and warns', async () => {
		rows([done, { email: 'ada@x.io' }], 2);
		const { json, hints } = await remind();
		expect(json[0]).toMatchObject({ reminded: 1, notListed: 2 });
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('counts 2 more recipients'), type: 'warning' },
		]);
	});

	test.each([
		['fails', { refuse: 'No rights.' }],
		['has no number', { status: 200, body: { success: true, data: {} } }],
	])('%s, reminds with a warning, and fails if nobody is left', async (_what, action) => {
		service.emulator.faults.on(REPORT, action, { times: Infinity });
		rows([done, { email: 'ada@x.io' }]);
		const { json, hints } = await remind();
		expect(json[0]).toMatchObject({ reminded: 1, notListed: null });
		expect(hints).toMatchObject([{ message: expect.stringContaining('could not be read') }]);
		rows([done]);
		const { error } = await remind();
		expect(error?.message).toMatch(NOBODY);
		expect(service.changes).toHaveLength(1);
	});
});

test.each([
	['0', 'draft'],
	['3', 'closed'],
	['4', 'scheduled'],
] as const)('status %s: fails before it reads who submitted', async (status, name) => {
	rows([{ email: 'ada@x.io' }]);
	live().status = status;
	const { error } = await remind({ sendNow: true });
	expect(error?.message).toBe(`The survey is not live, but has the status ${name}`);
	expect(error?.description).toContain('Nothing was sent.');
	expect(service.calls).toEqual(['GET /campaign/:id']);
});

test('of an anonymous survey, reminds nobody, even if the service names people', async () => {
	service.emulator.switches.anonymousRowsNamed = true;
	rows([{ email: 'ada@x.io' }]);
	firstSurvey(service.emulator).survey.anonymous = true;
	const { error } = await remind({ sendNow: true });
	expect(error?.message).toContain('is anonymous');
	expect(error?.description).toContain('Remind everybody');
	expect(service.changes).toEqual([]);
});

test.each(['name', '_id'] as const)(
	'two items with one survey (%s) fail before anything is sent, drafts too',
	async (key) => {
		rows([{ email: 'ada@x.io' }]);
		const { [key]: written } = live();
		const mode = key === 'name' ? 'name' : 'id';
		const { error } = await remind(
			{ campaignId: { ...locator('={{ $json.text }}'), mode }, title: '={{ $json.text }}' },
			{ items: [written, written.toUpperCase()].map((text) => ({ json: { text } })) },
		);
		expect(error?.message).toBe('2 items would remind people of the same survey');
		expect(service.changes).toEqual([]);
	},
);

test('names a survey that does not exist', async () => {
	const { error } = await remind({ campaignId: locator('64f1c0ffee0000000000abcd') });
	expect(error?.message).toBe('Survey "64f1c0ffee0000000000abcd" was not found');
});
