import {
	readBatching,
	readRequestOptions,
} from '../../nodes/MessagingService/engine/requestOptions.ts';
import { anyNode } from '../kit/anyNode.mts';

const context = { getNode: () => anyNode };

describe('Request Options', () => {
	const proxyAt = (port: number, more: object = {}) => ({
		proxy: { host: 'p.example', port, protocol: 'http', ...more },
	});
	const auth = { username: 'us%40er', password: 'p%3Ass' };

	test.each<[unknown, unknown]>([
		[undefined, {}],
		['text', {}],
		[{ timeout: 0 }, {}],
		[{ timeout: '5000' }, { timeout: 5000 }],
		[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
		[{ allowUnauthorizedCerts: 'true' }, {}],
		[{ proxy: '' }, {}],
		// A no-break space, as copied from a web page.
		[{ proxy: '\u00a0http://p.example' }, proxyAt(80)],
		[{ proxy: 'https://p.example' }, proxyAt(443, { protocol: 'https' })],
		[{ proxy: 'http://us%40er:p%3Ass@p.example:1' }, proxyAt(1, { auth })],
		[{ proxy: 'http://me@p.example:1' }, proxyAt(1, { auth: { username: 'me', password: '' } })],
	])('Request Options of %j become the settings %j', (options, settings) => {
		expect(readRequestOptions(options, context)).toStrictEqual(settings);
	});

	test.each([
		'proxy here',
		'localhost:3128',
		'ftp://p.example',
		'xhttp://p.example',
		'http://',
		'http://p.example:x',
		7,
	])('refuse the proxy %s', (proxy) => {
		expect(() => readRequestOptions({ proxy }, context)).toThrow(
			'Proxy is not the address of a proxy',
		);
	});

	test('invalid percent-encoding in the login of a proxy is accepted', () => {
		const { proxy } = readRequestOptions({ proxy: 'http://us%40er%:se%cret@p.example:1' }, context);
		expect(proxy).toMatchObject({ auth: { username: 'us%40er%25', password: 'se%25cret' } });
	});

	test.each(['soon', -1, Infinity, true, {}, 2 ** 31])('refuse the timeout %j', (timeout) => {
		expect(() => readRequestOptions({ timeout }, context)).toThrow('Timeout must be a number');
	});
});

describe('batching', () => {
	const batch = (batchSize?: unknown, batchInterval?: unknown) => ({
		batching: { batch: { batchSize, batchInterval } },
	});

	test.each<[unknown, number, number]>([
		[undefined, 10, 0],
		[{ batching: 'all' }, 10, 0],
		[{ batching: { batch: 5 } }, 10, 0],
		[batch(-1, -1), 10, 0],
		[batch(0.5), 10, 0],
		[batch(1, 1000), 1, 1000],
		[batch(2.9), 2, 0],
		[batch('3', '20'), 3, 20],
		[batch(51), 50, 0],
		[batch('many', 'long'), 10, 0],
	])(
		'reads %j as %d concurrent items with %d ms between batches',
		(options, concurrency, pauseMs) => {
			expect(readBatching(options)).toEqual({ concurrency, pauseMs });
		},
	);
});
