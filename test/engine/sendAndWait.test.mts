import { setImmediate } from 'node:timers/promises';

import { WAIT_INDEFINITELY, type INodeParameters } from 'n8n-workflow';

import { endWait, visitLink, type RunOptions } from '../kit/engine.mts';
import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { isVersion2 } from '../kit/poll.mts';
import { useService } from '../kit/service.mts';
import { isObject } from '../kit/typed.mts';

useFakeSleep();
const service = useService();

/** Runs Send and Wait. By default, the broadcast goes to a person whom the service knows. */
async function ask(parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) {
	const [approver] = service.emulator.state.people.values();
	return await service.run(
		'broadcast.sendAndWait',
		{
			title: 'Send it?',
			message: 'Tomorrow at nine',
			recipientsFrom: 'emails',
			recipientEmails: approver?.email ?? '',
			...parameters,
		},
		options,
	);
}

test('sends one live broadcast with a signed link for the first item, and waits', async () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const { status, json, execution } = await ask(
		{ options: { actionLinkText: 'Decide', emoji: '🔥', imageUrl: 'https://x.io/a.png' } },
		{ items },
	);
	expect([status, execution.waitTill]).toEqual(['waiting', WAIT_INDEFINITELY]);
	// n8n 1 checks the signature of the link only if this is set.
	expect(execution).toMatchObject(isVersion2 ? {} : { validateSignature: true });
	expect(json).toEqual([{ n: 1, broadcastId: expect.any(String) }]);
	expect(service.requests).toHaveLength(1);
	expect(service.lastRequest.body).toEqual({
		title: 'Send it?',
		message: 'Tomorrow at nine',
		status: 'live',
		recipientEmails: [expect.any(String)],
		...{ actionLinkText: 'Decide', emoji: '🔥', imageUrl: 'https://x.io/a.png' },
		actionLink: expect.stringMatching(
			/^http:\/\/n8n\.example\/webhook-waiting\/test-execution\/node-1\?question=[-\da-f]{36}&signature=\w+$/,
		),
	});
});

const FILE = { file: { data: 'eA==', mimeType: 'text/plain' } };

/** What an item may contain of an earlier question: the response of a manager, of n8n's own approval, another field. */
test.each<[object, Partial<RunOptions>?]>([
	[{ data: { approved: true, respondedAt: '2026-01-31T09:15:00.000Z' }, broadcastId: 'earlier' }],
	[{ data: { approved: true } }, { settings: { executeOnce: true } }],
	[{ data: { text: 'yes' } }, { onError: 'continueErrorOutput' }],
	[{ data: 'approved' }, { onError: 'continueRegularOutput' }],
	[{}],
])(
	'when the time limit ends, %j goes on as one item without data and without file (%j)',
	async (json, options = {}) => {
		const item = () => ({ json: { n: 1, ...json }, binary: FILE });
		const { status, execution } = await ask({}, { items: [item(), item()], ...options });
		expect(status).toBe('waiting');
		const broadcastId = [...service.emulator.state.broadcasts.values()].at(-1)?._id;
		const [unanswered, ...others] = await endWait(execution);
		expect([unanswered, others]).toEqual([
			{ json: { n: 1, broadcastId }, pairedItem: { item: 0 } },
			[],
		]);
	},
);

const limitedBy = (values: INodeParameters) => ({ options: { limitWaitTime: { values } } });
const atTime = (maxDateAndTime?: string) =>
	limitedBy({ limitType: 'atSpecifiedTime', ...(maxDateAndTime && { maxDateAndTime }) });

test.each([
	[limitedBy({ resumeAmount: 45, resumeUnit: 'minutes' }), 45],
	[limitedBy({ resumeAmount: 0.5 }), 30],
	[limitedBy({ resumeAmount: 2, resumeUnit: 'days' }), 2 * 24 * 60],
	[atTime('={{ $now.plus({ hours: 2 }).toFormat("yyyy-MM-dd HH:mm:ss") }}'), 120],
])('with %j, waits for %i minutes', async (parameters, minutes) => {
	const { execution } = await ask(parameters);
	const waitMs = Number(execution.waitTill) - Date.now();
	expect(Math.round(waitMs / 60_000)).toBe(minutes);
});

test.each<[string, INodeParameters, RegExp]>([
	[
		'a time limit in the last five minutes',
		atTime('={{ $now.minus({ minutes: 1 }).toISO() }}'),
		/Max Date and Time is in the past/,
	],
	['nobody', { recipientEmails: ' ' }, /Recipient Emails is empty/],
	['no time limit', atTime(), /Max Date and Time is empty/],
	['an unlisted kind of limit', limitedBy({ limitType: 'never' }), /Limit Type must be/],
	['a wait of 0', limitedBy({ resumeAmount: 0 }), /Amount must be a number above 0/],
	['a wait without a result', limitedBy({ resumeAmount: '={{ $json.none }}' }), /Amount/],
	['an endless wait', limitedBy({ resumeAmount: 1e300 }), /Amount must be/],
])('with %s, fails before sending and does not wait', async (_what, parameters, message) => {
	const { error, status } = await ask(parameters);
	expect(error?.message).toMatch(message);
	expect(status).toBe('error');
	expect(service.requests).toEqual([]);
});

test('does not wait if the service refuses the broadcast', async () => {
	const parameters = { recipientEmails: 'nobody.knows@example.com' };
	const { error, status } = await ask(parameters);
	expect(error?.message).toMatch(/^Not all emails/);
	expect(status).toBe('error');

	const { json, status: continued } = await ask(parameters, { onError: 'continueRegularOutput' });
	expect(json).toEqual([{ error: error?.message }]);
	expect(continued).toBe('success');
});

test.each([undefined, {}])(
	'does not resume the workflow if the page that the link opens cannot be created (form: %j)',
	async (form) => {
		const logged: string[] = [];
		const onLog = (line: string) => logged.push(line);
		const execution = { ...(await ask()).execution, executionData: undefined };
		const { resumed, status, headers } = await visitLink({
			...{ credential: service.accessKey, execution, query: {}, form, onLog },
		});
		const noScripts = expect.stringMatching(/^sandbox allow-forms; default-src 'none'.* 'self'$/);
		expect([resumed, status]).toEqual([false, 500]);
		const page = { 'Content-Security-Policy': noScripts, 'Cache-Control': 'no-store' };
		expect(headers).toMatchObject(page);
		expect(logged).toEqual(['The page of Send and Wait failed: n8n passed no execution data']);
	},
);

describe('the page', () => {
	const CLOSE = '/int/v1/broadcast/:id/close';

	/** Runs Send and Wait. The returned `visit` opens the page, or submits its form. */
	async function waiting(parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) {
		const { status, execution } = await ask(parameters, options);
		expect(status).toBe('waiting');
		const sent = service.requests.find(({ method }) => method === 'POST')?.body;
		const link = new URL(String(isObject(sent) ? sent.actionLink : ''));
		const log: string[] = [];
		const visit = async (form?: object, changed: object = {}) =>
			await visitLink({
				credential: options.credential ?? service.accessKey,
				...{ execution, query: { ...Object.fromEntries(link.searchParams), ...changed }, form },
				name: options.settings?.name,
				onLog: (line) => log.push(line),
			});
		const closings = () => service.requests.filter(({ path }) => path.endsWith('/close'));
		return { visit, log, closings };
	}

	const broadcast = () => [...service.emulator.state.broadcasts.values()].at(-1);
	const approve = { decision: 'approve' };

	test('accepts an answer, closes the broadcast and resumes with the item', async () => {
		const { visit, log } = await waiting({}, { items: [{ json: { n: 1 }, binary: FILE }] });
		expect((await visit()).html).toMatch(
			/<h1>Send it\?.*Tomorrow at nine.*<form method="post"><button [^>]*>Approve<.button><.form>/s,
		);
		const { html, output } = await visit(approve);
		expect(html).toContain('was recorded');
		const data = { approved: true, respondedAt: expect.stringMatching(/Z$/) };
		expect(output).toEqual({
			json: { n: 1, broadcastId: broadcast()?._id, data },
			pairedItem: { item: 0 },
		});
		await untilTrue(() => broadcast()?.status === '3');
		expect(log).toEqual([]);
	});

	test.each([
		[{ approveLabel: ' ', disapproveLabel: 'No' }, ['approve: Approve']],
		[
			{ approvalType: 'double', approveLabel: 'Yes', disapproveLabel: ' ' },
			['approve: Yes', 'decline: Decline'],
		],
		[{ approvalType: 'double', disapproveLabel: 'No' }, ['approve: Approve', 'decline: No']],
	])('an approval with %j has the buttons %j', async (values, buttons) => {
		const { visit } = await waiting({ approvalOptions: { values } });
		const shown = (await visit()).html.matchAll(/<button name="decision" value="(\w+)".*?>(\w+)</g);
		expect(Array.from(shown, ([, value, label]) => `${value}: ${label}`)).toEqual(buttons);
		expect((await visit({ decision: 'decline' })).resumed).toBe(buttons.length > 1);
	});

	const freeText = { responseType: 'freeText' };

	test.each<[object, RegExp, INodeParameters?]>([
		[{}, /choose/],
		[{ decision: 'Approve' }, /choose/],
		[{ decision: ['approve', 'decline'] }, /choose/],
		[{ text: 'approve' }, /choose/],
		[{ text: ' \n' }, /write/, freeText],
		[{ decision: 'approve' }, /write/, freeText],
	])('asks again after %j, and does not resume', async (form, problem, parameters = {}) => {
		const { visit } = await waiting(parameters);
		const { resumed, html } = await visit(form);
		expect([resumed, html]).toEqual([false, expect.stringMatching(problem)]);
	});

	test('of an earlier question, such as the last round of a loop, does not answer this one', async () => {
		const { visit } = await waiting();
		expect((await visit(approve, { question: 'earlier' })).resumed).toBe(false);
		expect((await visit(approve)).resumed).toBe(true);
	});

	test('escapes markup', async () => {
		const evil = `<script>alert(1)</script>"'&`;
		const approvalOptions = { values: { approveLabel: evil } };
		const { html } = await (await waiting({ title: evil, message: evil, approvalOptions })).visit();
		expect(html).not.toContain('<script');
		expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;');
	});

	/** Replaces the time limit for closing the broadcast. `end` ends this time limit at once. */
	function closingTime() {
		const limit = new AbortController();
		const spy = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
		return { spy, end: () => limit.abort() };
	}

	const untilTrue = async (isTrue: () => boolean) => {
		while (!isTrue()) await setImmediate();
	};
	const untilLogged = async (log: string[]) => await untilTrue(() => log.length > 0);

	test.each(['stall', 'stallBody'] as const)(
		'if closing the broadcast fails with %s, resumes once after 3 s, and logs the failure after 10 s',
		async (action) => {
			const { visit, log } = await waiting();
			service.emulator.faults.add({ match: { path: CLOSE }, action });
			const { spy, end } = closingTime();
			const before = Date.now();
			const [first, second] = await Promise.all([visit(approve), visit({ decision: 'decline' })]);
			expect(Date.now() - before).toBeGreaterThanOrEqual(3000);
			expect(Date.now() - before).toBeLessThan(6000);
			expect(first.resumed).toBe(true);
			expect(second).toMatchObject({ resumed: false, html: expect.stringContaining('already') });
			advanceClock(3_600_000);
			expect((await visit(approve)).resumed).toBe(false);
			expect(spy).toHaveBeenCalledWith(10_000);
			expect(log).toEqual([]);
			end();
			await untilLogged(log);
			expect(log).toEqual([expect.stringMatching(/^Broadcast \w+ could not be closed: /)]);
			spy.mockRestore();
		},
	);

	test('resumes although the service refuses to close the broadcast', async () => {
		const { visit, log } = await waiting();
		service.emulator.faults.add({ match: { path: CLOSE }, action: { refuse: 'No.' } });
		expect((await visit(approve)).resumed).toBe(true);
		await untilLogged(log);
		expect(log).toEqual([expect.stringMatching(/could not be closed: No\./)]);
	});

	test.each([{}, { _id: ' ' }, { _id: null }, 'sent'])(
		'waits for an answer to a broadcast without ID (%j), and closes nothing',
		async (data) => {
			const action = { status: 200, body: { success: true, data } };
			service.emulator.faults.add({ match: { method: 'POST' }, action });
			const { visit, log, closings } = await waiting();
			const { output } = await visit(approve);
			await untilLogged(log);
			expect(output?.json).toMatchObject({ broadcastId: null, data: { approved: true } });
			expect(closings()).toEqual([]);
			expect(log).toEqual([
				'Broadcast without ID could not be closed: the service returned no ID when it was sent',
			]);
		},
	);

	test('counts a line break as one character, and accepts at most 10,000 characters, as the form does', async () => {
		const { visit } = await waiting(freeText);
		const lines = (count: number) => 'a\r\n'.repeat(count);
		const tooLong = await visit({ text: `${lines(5000)}b` });
		expect(tooLong.resumed).toBe(false);
		expect(tooLong.html).toMatch(/<textarea .*name="text" .*maxlength="10000"/);
		expect(tooLong.html).toContain('Please write a response of at most 10000 characters.');
		const { output } = await visit({ text: `${lines(4999)}bb` });
		await untilTrue(() => broadcast()?.status === '3');
		expect(output?.json.data).toMatchObject({ text: `${'a\n'.repeat(4999)}bb` });
	});

	test.each(['line\u2028separator', 'constructor', '__proto__', 'a "quoted" {{ name }} \\'])(
		'works for a node called %j',
		async (name) => {
			const { visit } = await waiting({}, { settings: { name }, items: [{ json: { n: 1 } }] });
			const { output } = await visit(approve);
			await untilTrue(() => broadcast()?.status === '3');
			expect(output?.json).toMatchObject({ n: 1, data: { approved: true } });
		},
	);
});
