import axios from 'axios';
import { useEmulator } from './client.mts';

const { emulator } = useEmulator({ seed: { people: 2, groups: 0, campaigns: 1, surveys: 1 } });

const own = ['localhost', 'LOCALHOST:7070', '127.8.9.250', '[::1]:7070', '[::1]'];
const foreign = [
	...['company.example', 'localhost.company.example', '127.0.0.1.company.example:80'],
	...['127.0.0.1@company.example', '10.0.0.1', '0.0.0.0:7070', '[::2]', '::1'],
];
test.each([...own, ...foreign])('accepts requests to this machine only: %s', async (Host) => {
	const headers = { Host, Authorization: `Bearer ${emulator.accessKey}` };
	for (const path of ['/', '/int/v1/me']) {
		const url = `${emulator.url}${path}`;
		const { status } = await axios.get(url, { headers, validateStatus: () => true });
		expect([path, status]).toEqual([path, own.includes(Host) ? 200 : 421]);
	}
});

describe('changes', () => {
	const draft = () => emulator.state.addCampaign({ name: 'Draft', status: '0' });
	const send = ({ _id }: { _id: string }, headers: Record<string, string>) =>
		axios.post<unknown>(`${emulator.url}/console/campaign/${_id}/send`, undefined, {
			headers,
			maxRedirects: 0,
			validateStatus: () => true,
		});

	test.each([
		['a page elsewhere', { Origin: 'https://attacker.example' }],
		['a page on another port of this machine', { Origin: 'http://127.0.0.1:1' }],
	])('are refused from %s', async (_who, headers) => {
		const campaign = draft();
		expect((await send(campaign, headers)).status).toBe(403);
		expect(campaign.status).toBe('0');
	});

	test('changes are accepted from the pages of the emulator and from programs', async () => {
		for (const Origin of [undefined, emulator.url]) {
			const campaign = draft();
			expect((await send(campaign, Origin ? { Origin } : {})).status).toBe(303);
			expect(campaign.status).toBe('1');
		}
	});
});
