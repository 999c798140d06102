import { Client, ownEmulators } from './client.mts';

const startEmulator = ownEmulators();

/** Milliseconds of processor time since then: what else the machine does at the same time does not count. */
function cpuTime(): () => number {
	const before = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	};
}

test('200,000 campaigns and 100,000 people are there in a few seconds, and a page is found at once', async () => {
	const used = cpuTime();
	const emulator = await startEmulator({
		seed: { people: 100_000, groups: 3, campaigns: 200_000, surveys: 0, broadcasts: 0 },
	});
	const seeded = used();
	const client = new Client(emulator.url, emulator.accessKey);
	const page = async (previousLastId?: string) =>
		(
			await client.ok<{ _id: string }[]>('GET', '/campaign', {
				query: { limit: 1000, ...(previousLastId === undefined ? {} : { previousLastId }) },
			})
		).data;
	const newest = await page();
	const next = await page(newest.at(-1)?._id);
	expect(new Set([...newest, ...next].map((campaign) => campaign._id)).size).toBe(2000);
	const oldest = emulator.state.campaigns.values().slice(0, 3);
	expect((await page(oldest[2]?._id)).map((campaign) => campaign._id)).toEqual([
		oldest[1]?._id,
		oldest[0]?._id,
	]);
	expect(seeded).toBeLessThan(10_000);
});

test('100,000 responses are served quickly, and new ones are in the next answer', async () => {
	const emulator = await startEmulator({
		seed: { people: 1000, campaigns: 0, surveys: 1, responsesPerSurvey: 100_000 },
	});
	const client = new Client(emulator.url, emulator.accessKey);
	const [survey] = emulator.state.campaigns.values();
	const rows = async (): Promise<number> => {
		const { data } = await client.ok<{ result: unknown[] }>(
			'GET',
			`/campaign/${survey?._id ?? ''}/surveyData`,
		);
		return data.result.length;
	};
	expect(await rows()).toBe(100_000);
	for (let count = 0; count < 10; count += 1) {
		emulator.submitResponse(survey?._id ?? '', { answers: [count] });
	}
	const used = cpuTime();
	expect(await rows()).toBe(100_010);
	expect(used()).toBeLessThan(10_000);
});
