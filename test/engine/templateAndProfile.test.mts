import { useService } from '../kit/service.mts';

const service = useService();

const templates = () => service.emulator.state.templates.values();

describe('template getAll', () => {
	test('returns all templates in one request', async () => {
		const { json } = await service.run('template', 'getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id).sort()).toEqual(
			templates()
				.map(({ _id }) => _id)
				.sort(),
		);
		expect(service.requests).toHaveLength(1);
		expect(service.lastRequest.query).toEqual({});
	});

	test('returns no more templates than Limit', async () => {
		const { json } = await service.run('template', 'getAll', { limit: 1 });
		expect(json).toHaveLength(1);
	});
});

test('profile get returns the user of the credential', async () => {
	const credential = { ...service.accessKey, accessKey: service.emulator.plainAccessKey };
	const { json } = await service.run('profile', 'get', {}, { credential });
	expect(json).toEqual([
		expect.objectContaining({ email: service.emulator.state.plainUser.email }),
	]);
});
