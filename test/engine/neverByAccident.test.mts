import { existsSync, readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { useFakeSleep } from '../kit/fakeSleep.mts';
import { locator } from '../kit/engine.mts';
import { watchLog } from '../kit/log.mts';
import { LAUNCH } from '../kit/questions.mts';
import { first } from '../kit/required.mts';
import { properties } from '../kit/sampleParameters.mts';
import { useService } from '../kit/service.mts';
import { impersonate, useTestServer } from '../kit/testServer.mts';

/** Tests each sentence of the section "What never happens by accident" in the README. */

const service = useService();
const elsewhere = useTestServer(impersonate);
const log = watchLog();
useFakeSleep();

const broadcast: INodeParameters = { title: 'T', message: 'M', recipientsFrom: 'none' };
const campaign: INodeParameters = { name: 'N', campaignDescription: 'D' };
const titled = { ...broadcast, title: '={{ $json.title }}', status: '={{ $json.status }}' };
const rows = (...statuses: string[]) =>
	statuses.map((status) => ({ json: { title: 'T', status } }));
/** A survey for a person whom the service knows. */
const survey = (): INodeParameters => ({
	...LAUNCH,
	recipientEmails: String(first(service.emulator.state.people.values()).email),
});
const changes = () => service.requests.filter(({ method }) => method !== 'GET');

const sentences: Record<string, () => Promise<void>> = {
	'a new campaign or broadcast is a draft unless you choose *Live* or *Scheduled*.': async () => {
		const channelId = locator(first(service.emulator.state.channels.values())._id);
		for (const [resource, operation, parameters] of [
			['campaign', 'create', campaign],
			['broadcast', 'create', broadcast],
			['channel', 'createCampaign', { ...campaign, channelId }],
		] as const) {
			const { error } = await service.run(resource, operation, parameters);
			expect(error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({ status: 'draft' });
		}
		for (const operation of ['create', 'launch']) {
			const { error, json } = await service.run('survey', operation, { ...survey(), operation });
			expect(error).toBeUndefined();
			expect(service.emulator.state.campaigns.get(String(json[0]?._id))?.status).toBe('0');
		}
	},
	'Operations that send at once say so on the screen, for example *Channel → Send Broadcast*.':
		async () => {
			const noticesOf = (resource: string, operation: string) =>
				properties
					.filter(({ type, displayOptions: { show } = {} }) => {
						const isShown =
							show?.resource?.includes(resource) && show.operation?.includes(operation);
						return type === 'notice' && isShown === true;
					})
					.map(({ displayName }) => displayName)
					.join();
			for (const [resource, operation] of [
				['channel', 'createBroadcast'],
				['campaign', 'send'],
				['campaign', 'addRecipients'],
				['campaign', 'update'],
				['broadcast', 'sendAndWait'],
				['survey', 'launch'],
			] as const) {
				expect(noticesOf(resource, operation)).toMatch(/as soon as the node runs/);
			}
		},
	'if the node cannot tell whether the service carried out a change, it does not repeat the change, and the error says so.':
		async () => {
			service.emulator.faults.on('POST /broadcast', 'dropAfter', { times: Infinity });
			const { error } = await service.run('broadcast', 'create', { ...broadcast, status: 'live' });
			expect(service.requests).toHaveLength(1);
			expect(error?.description).toContain('may or may not have been carried out');
		},
	'Only *Sync* repeats its changes, because adding or removing somebody a second time changes nothing.':
		async () => {
			const [group] = service.emulator.state.recipientGroups.values();
			const [person] = service.emulator.state.people.values();
			service.emulator.faults.on('POST /recipientGroup/:id/recipients', 'dropAfter');
			const { error } = await service.run('recipientGroup', 'sync', {
				recipientGroupId: locator(String(group?._id)),
				recipient: String(person?.email),
			});
			expect(error).toBeUndefined();
			const [lost, repeated] = changes();
			expect(repeated?.path).toBe(lost?.path);
			expect(repeated?.body).toEqual(lost?.body);
		},
	'[Many items](docs/many-items.md) explains what happens when you run a workflow again.':
		async () => {
			expect(existsSync('docs/many-items.md')).toBe(true);
			expect(readFileSync('docs/many-items.md', 'utf8')).toContain('## Running again');
		},
	'an unreadable date, or an unknown or empty choice, fails before anything is sent.': async () => {
		for (const parameters of [
			{ ...broadcast, status: 'scheduled', scheduledTime: 'week 7' },
			{ ...broadcast, status: '={{ "lively" }}' },
			{ ...broadcast, status: '={{ "" }}' },
			{ ...broadcast, status: '={{ $json.nope }}' },
		]) {
			expect((await service.run('broadcast', 'create', parameters)).error).toBeDefined();
			expect(service.requests).toEqual([]);
		}
	},
	'If one of several items is invalid, none is sent, unless *On Error* is *Continue*.':
		async () => {
			const items = rows('draft', 'lively');
			expect((await service.run('broadcast', 'create', titled, { items })).error).toBeDefined();
			expect(service.requests).toEqual([]);
			await service.run('broadcast', 'create', titled, { items, onError: 'continueRegularOutput' });
			expect(service.requests).toHaveLength(1);
		},
	'Only *Sync* skips invalid people.': async () => {
		const { _id } = first(service.emulator.state.recipientGroups.values());
		const emails = [...service.emulator.state.people.values()]
			.slice(0, 2)
			.map(({ email }) => email);
		const { error, json } = await service.run(
			'recipientGroup',
			'sync',
			{
				recipientGroupId: locator(_id),
				recipient: '={{ $json.email }}',
				options: { output: 'perRecipient' },
			},
			{ items: ['no address', ...emails].map((email) => ({ json: { email } })) },
		);
		expect(error).toBeUndefined();
		expect(json).toContainEqual(expect.objectContaining({ status: 'invalid' }));
		expect(changes()[0]?.body).toMatchObject({ recipientEmails: emails });
	},
	'keys and tokens go only to the host of the Base URL.': async () => {
		const action = { redirectTo: elsewhere.url, status: 307 } as const;
		for (const credential of [service.accessKey, service.newClient()]) {
			service.emulator.faults.on('GET /me', action);
			const { error } = await service.run('profile', 'get', {}, { credential });
			expect(error?.message).toContain('redirected');
		}
		expect(elsewhere.requests).toEqual([]);
	},
	'No output, error or log shows them.': async () => {
		const { accessKey } = service.emulator;
		service.emulator.faults.on('GET /me', { refuse: `Key ${accessKey} is old` });
		const { error, items } = await service.run('profile', 'get');
		expect(error?.message).toBe('Key *** is old');
		expect(
			JSON.stringify([items, error?.message, error?.description, error?.context, log.lines]),
		).not.toContain(accessKey);
	},
};

const [, section = ''] = readFileSync('README.md', 'utf8').split(
	'## What never happens by accident',
);
const [text = ''] = section.split(/^## /m);
const written = text
	.split(/^- \*\*[^*]+\*\*: /m)
	.slice(1)
	.flatMap((bullet) =>
		bullet
			.replace(/\s+/g, ' ')
			.trim()
			.split(/(?<=\.) (?=[A-Z[])/),
	);

test('the section in the README has exactly the tested sentences', () => {
	expect(written).toEqual(Object.keys(sentences));
});

test.each(Object.entries(sentences))('%s', async (_sentence, check) => await check());
