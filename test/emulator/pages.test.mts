import axios from 'axios';
import { first, firstSurvey } from '../kit/required.mts';
import { useEmulator } from './client.mts';

const { emulator, call, ok } = useEmulator({
	seed: { people: 5, groups: 2, campaigns: 1, surveys: 1, responsesPerSurvey: 2 },
});

const page = async (path: string) =>
	axios.get<string>(`${emulator.url}${path}`, { validateStatus: () => true });

test('shows credentials, records and requests on the front page, all escaped', async () => {
	const { state } = emulator;
	state.addRecipientGroup('<script>alert("group")</script>');
	state.addCampaign({ name: `Tom & "Jerry's"` });
	await call('GET /campaign?x=<b>');
	const { data, headers } = await page('/');
	expect(String(headers['content-type'])).toBe('text/html; charset=utf-8');
	for (const text of [
		emulator.url,
		emulator.accessKey,
		emulator.clientId,
		emulator.clientSecret,
		'&#60;script&#62;alert(&#34;group&#34;)&#60;/script&#62;',
		'Tom &#38; &#34;Jerry&#39;s&#34;',
		'Survey 1',
		'Channel 1',
		'Violation: query has the unknown field &#34;x&#34;',
	]) {
		expect(data).toContain(text);
	}
	expect(data).not.toContain('<script');
});

test('shows each group, campaign and broadcast on a separate page', async () => {
	const { state } = emulator;
	const group = first(state.recipientGroups.values());
	const members = await page(`/console/group/${group._id}`);
	for (const email of [...group.members].map((id) => state.people.get(id)?.email))
		expect(members.data).toContain(email);
	const channel = first(state.channels.values());
	const channelPage = await page(`/console/channel/${channel._id}`);
	for (const id of [...channel.recipients.keys()])
		expect(channelPage.data).toContain(state.people.get(id)?.email);
	expect((await page('/')).data).toContain(`/console/channel/${channel._id}`);
	const { _id } = firstSurvey(emulator).campaign;
	const { campaignUrl } = await ok<{ campaignUrl: string }>(`GET /campaign/${_id}`);
	const shown = await axios.get<string>(campaignUrl);
	expect(shown.data).toContain('How do you feel?');
	const broadcast = first(state.broadcasts.values());
	expect((await page(`/console/broadcast/${broadcast._id}`)).data).toContain(broadcast.message);
	for (const path of ['group', 'campaign', 'broadcast', 'channel']) {
		const unknown = await page(`/console/${path}/nope`);
		expect(unknown.status).toBe(404);
		expect(unknown.data).toContain(`The emulator has no such ${path}`);
	}
});

test.each([
	['https://n8n.example/?approved', '1', true],
	['https://n8n.example/?approved', '0', false],
	['https://n8n.example/?approved', '3', false],
	['javascript:alert(1)', '1', false],
] as const)(
	'a broadcast with the action link %s and status %s has a button: %s',
	async (...row) => {
		const [actionLink, status, hasButton] = row;
		const own = { title: 'Send it?', message: 'Tomorrow', actionLinkText: 'Approve' };
		const { _id } = emulator.state.addBroadcast({ ...own, actionLink, status });
		const { data } = await page(`/console/broadcast/${_id}`);
		expect(data).toContain('Tomorrow');
		expect(data.includes(`href="${actionLink}"`)).toBe(hasButton);
	},
);
