import { seedDefaults, type SeedOptions } from '../../emulator/state/seed.mts';
import { countCpuTime } from '../kit/cpuTime.mts';
import { clientOf, ownEmulators, start } from './client.mts';

const startEmulator = ownEmulators();

test('seeds 200,000 campaigns and 100,000 people in seconds, and returns pages of campaigns', async () => {
	const used = countCpuTime();
	const emulator = await startEmulator({
		seed: { people: 100_000, groups: 3, campaigns: 200_000, surveys: 0, broadcasts: 0 },
	});
	const seeded = used();
	const { ok } = clientOf(emulator);
	const page = (query = '') => ok<{ _id: string }[]>(`GET /campaign?limit=1000${query}`);
	const after = (id = '') => page(`&previousLastId=${id}`);
	const newest = await page();
	const next = await after(newest.at(-1)?._id);
	expect(new Set([...newest, ...next].map((campaign) => campaign._id)).size).toBe(2000);
	const oldest = emulator.state.campaigns.values().slice(0, 3);
	expect((await after(oldest[2]?._id)).map((campaign) => campaign._id)).toEqual([
		oldest[1]?._id,
		oldest[0]?._id,
	]);
	expect(seeded).toBeLessThan(10_000);
});

test('returns 100,000 survey responses quickly, and includes the newest', async () => {
	const emulator = await startEmulator({
		seed: { people: 1000, campaigns: 0, surveys: 1, responsesPerSurvey: 100_000 },
	});
	const { ok } = clientOf(emulator);
	const [survey] = emulator.state.campaigns.values();
	const rows = async (): Promise<number> => {
		const data = await ok<{ result: unknown[] }>(`GET /campaign/${survey?._id ?? ''}/surveyData`);
		return data.result.length;
	};
	expect(await rows()).toBe(100_000);
	for (let count = 0; count < 10; count += 1) {
		emulator.submitResponse(survey?._id ?? '', { answers: [count] });
	}
	const used = countCpuTime();
	expect(await rows()).toBe(100_010);
	expect(used()).toBeLessThan(10_000);
});

async function everything(seed: SeedOptions): Promise<string> {
	const emulator = await startEmulator({ seed, clock: () => start });
	const { ok } = clientOf(emulator);
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
		answers.push(await ok(`GET ${path}`));
	}
	return JSON.stringify(answers).replaceAll(emulator.url, 'URL');
}

test('derives the data from the seed number', async () => {
	const seed = { people: 30, groups: 3, responsesPerSurvey: 10 };
	const one = await everything({ seed: 1, ...seed });
	expect(await everything({ seed: 1, ...seed })).toBe(one);
	expect(await everything({ seed: 2, ...seed })).not.toBe(one);
});

test('accepts 0 for every number of records', async () => {
	const nothing = Object.fromEntries(Object.keys(seedDefaults).map((name) => [name, 0]));
	const emulator = await startEmulator({ seed: nothing });
	const { ok } = clientOf(emulator);
	for (const path of ['/campaign', '/recipientGroup', '/broadcast', '/channel', '/template']) {
		expect(await ok(`GET ${path}`)).toEqual([]);
	}
});

test('restores the initial options on reset', async () => {
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

test('fails if the port is taken', async () => {
	const emulator = await startEmulator({ host: 'localhost' });
	const port = Number(new URL(emulator.url).port);
	await expect(startEmulator({ host: 'localhost', port })).rejects.toThrow('EADDRINUSE');
});
