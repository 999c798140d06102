import type { SeedOptions } from '../../emulator/emulator.mts';
import { Client, ownEmulators, start } from './client.mts';

const startEmulator = ownEmulators();

async function everything(seed: SeedOptions): Promise<string> {
	const emulator = await startEmulator({ seed, clock: () => start });
	const client = new Client(emulator.url, emulator.accessKey);
	const survey =
		emulator.state.campaigns.find((campaign) => campaign.survey !== undefined)?._id ?? '';
	const channel = emulator.state.channels.values()[0]?._id ?? '';
	const answers: unknown[] = [];
	for (const path of [
		'/me',
		'/campaign',
		'/recipientGroup',
		'/broadcast',
		'/channel',
		'/template',
		`/campaign/${survey}/surveyData`,
		`/channel/${channel}/manager`,
		`/channel/${channel}/managerGroup`,
		`/channel/${channel}/recipient`,
	]) {
		answers.push((await client.ok(`GET`, path)).data);
	}
	return JSON.stringify(answers).replaceAll(emulator.url, 'URL');
}

test('one number gives the same data again, another number other data', async () => {
	const seed = { people: 30, groups: 3, responsesPerSurvey: 10 };
	const one = await everything({ seed: 1, ...seed });
	expect(await everything({ seed: 1, ...seed })).toBe(one);
	expect(await everything({ seed: 2, ...seed })).not.toBe(one);
});

test('everything of any size, also nothing at all', async () => {
	const nothing: SeedOptions = {
		people: 0,
		groups: 0,
		campaigns: 0,
		surveys: 0,
		broadcasts: 0,
		channels: 0,
		templates: 0,
		consoleUsers: 0,
		consoleUserGroups: 0,
	};
	const emulator = await startEmulator({ seed: nothing });
	const client = new Client(emulator.url, emulator.accessKey);
	for (const path of ['/campaign', '/recipientGroup', '/broadcast', '/channel', '/template']) {
		expect((await client.ok('GET', path)).data).toEqual([]);
	}
});

test('options given at the start hold after a reset', async () => {
	const emulator = await startEmulator({
		seed: { people: 2 },
		switches: { tokenLifetimeSeconds: 5, pageCap: { campaign: 1 } },
	});
	emulator.switches.tokenLifetimeSeconds = 9;
	emulator.switches.pageCap.campaign = 7;
	emulator.reset();
	expect(emulator.switches.tokenLifetimeSeconds).toBe(5);
	expect(emulator.switches.pageCap).toEqual({ campaign: 1 });
	expect(emulator.state.people.size).toBe(2);
});

test('a port that is taken is an error, and another host can be given', async () => {
	const emulator = await startEmulator({ host: 'localhost' });
	const port = Number(new URL(emulator.url).port);
	await expect(startEmulator({ host: 'localhost', port })).rejects.toThrow('EADDRINUSE');
});
