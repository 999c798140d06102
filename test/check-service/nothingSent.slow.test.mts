import type { FaultAction } from '../../emulator/emulator.mts';
import { switchValues, type Switches } from '../../emulator/switches.mts';
import fc, { runs } from '../kit/property.mts';
import { check, everything, useWholeService } from './kit.mts';

const emulator = useWholeService();

const NOBODY = 'n8n-check@nobody.invalid';

/** The records that the checks could create, and those of these kinds that exist before. */
function records() {
	const { campaigns, broadcasts, recipientGroups, channels } = emulator.state;
	return [campaigns, broadcasts, recipientGroups, channels].flatMap((store) => [...store.values()]);
}

/** Fails if a request could send something, reach somebody who was not named, or change what the checks did not create. */
function watch(allowed: string[], before: Set<string>): string[] {
	const wrong: string[] = [];
	const may = new Set([...allowed, NOBODY].map((one) => one.toLowerCase()));
	emulator.onRequest(({ method, path, body }) => {
		const text = JSON.stringify(body ?? {});
		const changes = method !== 'GET';
		if (/"live"|"scheduled"|scheduledTime/.test(text)) wrong.push(`${method} ${path} ${text}`);
		const people: string[] = text.match(/[^\s"]+@[^\s"]+/g) ?? [];
		for (const one of people) if (!may.has(one.toLowerCase())) wrong.push(`${path}: ${one}`);
		const isMessage = /\/(campaign|broadcast)(\/|$)/.test(path);
		if (isMessage && people.length > 0) wrong.push(`a recipient of a message: ${text}`);
		const [, id] = /\/int\/v1\/\w+\/(?:survey\/)?(\w+)/.exec(path) ?? [];
		if (changes && id !== undefined && before.has(id)) wrong.push(`${method} ${path}`);
	});
	return wrong;
}

const switchSettings = fc.record(
	Object.fromEntries(
		Object.entries(switchValues)
			// These only make the checks wait.
			.filter(([name]) => !['rateLimit', 'tokenLifetimeSeconds'].includes(name))
			.map(([name, values]) => [name, fc.constantFrom(...(values as unknown[]))]),
	),
) as fc.Arbitrary<Partial<Switches>>;

const actions: FaultAction[] = [
	...(['drop', 'dropAfter', 'cutBody', 'html', 'brokenJson'] as const),
	...[500, 502, 403].map((status) => ({ status, body: 'Sorry' })),
	{ status: 500, body: {}, after: true },
	{ refuse: 'Not now' },
];

test('sends nothing to anybody, and leaves nothing that the list does not name, whatever breaks or stops it', async () => {
	await fc.assert(
		fc.asyncProperty(
			switchSettings,
			fc.array(fc.record({ skip: fc.nat(110), action: fc.constantFrom(...actions) }), {
				maxLength: 4,
			}),
			fc.option(fc.nat(120), { freq: 2 }),
			async (settings, faults, stopAt) => {
				emulator.reset();
				Object.assign(emulator.switches, settings);
				for (const fault of faults) emulator.faults.add({ match: {}, ...fault });
				const scope = everything(emulator);
				const before = new Set(records().map(({ _id }) => _id));
				const wrong = watch(scope.recipients, before);
				const stop = new AbortController();
				let count = 0;
				emulator.onRequest(() => {
					if (count++ === stopAt) stop.abort();
				});
				let left: { id?: string | undefined; name: string }[] = [];
				try {
					({
						result: { left },
					} = await check(emulator, scope, { signal: stop.signal, timeoutMs: 1000 }));
				} catch (error) {
					// Only a refused key or client ends the checks with an error, before anything is created.
					expect(String(error)).toMatch(/refused the key|issued no access token/);
				}
				expect(wrong).toEqual([]);
				const named = new Set(left.flatMap(({ id, name }) => [id, name]));
				const stays = records().filter(({ _id }) => !before.has(_id));
				const nameOf = (one: object) =>
					String(Reflect.get(one, 'title') ?? Reflect.get(one, 'name'));
				const unnamed = stays.filter((one) => !named.has(one._id) && !named.has(nameOf(one)));
				expect(unnamed.map(nameOf)).toEqual([]);
				const campaigns = [...emulator.state.campaigns.values()];
				const sent = campaigns.filter(({ _id, status }) => !before.has(_id) && status !== '0');
				expect(sent).toEqual([]);
			},
		),
		{ numRuns: runs(25) },
	);
});
