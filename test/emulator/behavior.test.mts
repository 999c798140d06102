import { first } from '../kit/required.mts';
import { timeAfter, useEmulator } from './client.mts';

// Behavior of the emulator that no test of the nodes checks.

const { emulator, ok, refused } = useEmulator({
	seed: { people: 6, groups: 1, campaigns: 1, surveys: 0, broadcasts: 0, channels: 1 },
});

interface Shown {
	_id: string;
	liveDate?: string;
}

const required = {
	campaign: { name: 'Welcome', description: 'Hello' },
	broadcast: { title: 'Hello', message: 'World' },
};
const channel = () => `/channel/${first(emulator.state.channels.values())._id}`;

test('the delivery settings of a channel apply to its campaigns, and two settings have other names in responses', async () => {
	const same = { enableEmail: false, commentVisibility: '0' };
	expect(
		await ok(`PUT ${channel()}`, {
			defaults: { ...same, enableAppNotification: false, enableComment: true },
		}),
	).toMatchObject({ defaults: { ...same, enablePushNotification: false, enableComments: true } });
	const { _id } = await ok<Shown>(`POST ${channel()}/campaign`, required.campaign);
	expect(await ok(`GET /campaign/${_id}`)).toMatchObject(same);
});

describe.each(['campaign', 'broadcast'] as const)('a %s', (kind) => {
	test('a message to a group goes to the members of the group', async () => {
		const group = first(emulator.state.recipientGroups.values());
		const body = { ...required[kind], recipientGroups: [group._id] };
		const { _id } = await ok<Shown>(`POST /${kind}`, body);
		const recipientAmount = group.members.size;
		expect(recipientAmount).toBeGreaterThan(0);
		expect(await ok(`GET /${kind}/${_id}`)).toMatchObject({ recipientAmount });
	});

	test('a scheduled message goes live at its scheduled time, which lists show as the live date', async () => {
		const scheduled = { status: 'scheduled', scheduledTime: timeAfter(60_000) };
		const { _id } = await ok<Shown>(`POST /${kind}`, { ...required[kind], ...scheduled });
		for (const status of ['4', '1']) {
			const [listed] = await ok<Shown[]>(`GET /${kind}`);
			expect(listed).toMatchObject({ _id, status, liveDate: timeAfter(60_000) });
			emulator.clock.advance(60_000);
		}
	});
});

test('the questions of a live campaign cannot be changed', async () => {
	const { _id } = emulator.state.addCampaign({ ...required.campaign, status: '1' });
	const questions = [{ templateCode: 'input', title: 'x' }];
	expect(await refused(`PUT /campaign/survey/${_id}`, { questions })).toContain('draft');
});
