import type { Emulator } from '../../emulator/emulator.mts';
import { operations, samplesOf, SAMPLE_SEED, saysItSends } from '../kit/samples.mts';
import { useService } from '../kit/service.mts';

const service = useService(SAMPLE_SEED);

/** Returns an entry for each live campaign and broadcast, and one for each of its recipients. */
function deliveries({ state }: Emulator): Set<string> {
	return new Set(
		[...state.campaigns.values(), ...state.broadcasts.values()]
			.filter(({ status }) => status === '1')
			.flatMap(({ _id, recipients }) => [_id, ...[...recipients].map((id) => `${_id} ${id}`)]),
	);
}

/** Returns the IDs of the campaigns and broadcasts that the service lists with a live date. */
async function listedAsLive(): Promise<unknown[]> {
	const lists = await Promise.all(
		['campaign', 'broadcast'].map(
			async (resource) =>
				await service.run(resource, 'getAll', { returnAll: true, filters: { scope: 'all' } }),
		),
	);
	return lists.flatMap(({ json }) => json.filter(({ liveDate }) => liveDate).map(({ _id }) => _id));
}

test.each(operations)(
	'%s sends only if its declaration says so, and the lists show a live date for everything sent',
	async (operation) => {
		const [resource = '', name = ''] = operation.split('.');
		const sent = new Set<string>();
		for (const make of samplesOf(operation)) {
			service.emulator.reset();
			const { parameters, items } = make(service.emulator);
			if (parameters.status === 'scheduled') parameters.status = 'live';
			const before = deliveries(service.emulator);
			const { error } = await service.run(resource, name, parameters, { items });
			expect(error).toBeUndefined();
			const after = [...deliveries(service.emulator)].filter((delivery) => !before.has(delivery));
			const live = await listedAsLive();
			for (const [id = ''] of after.map((delivery) => delivery.split(' '))) {
				sent.add(id);
				expect(live).toContain(id);
			}
		}
		expect(sent.size > 0).toBe(saysItSends(operation));
	},
);
