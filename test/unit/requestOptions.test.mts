import {
	readBatching,
	readRequestOptions,
} from '../../nodes/MessagingService/engine/requestOptions.ts';

const fail = (message: string) => new Error(message);

describe('Request Options', () => {
	const proxyAt = (port: number, more: object = {}) => ({
		proxy: { host: 'p.example', port, protocol: 'http', ...more },
	});
	const auth = { username: 'us%40er', password: 'p%3Ass' };

	test.each<[unknown, unknown]>([
		[{}, {}],
		[undefined, {}],
		['text', {}],
		[{ timeout: 5000 }, { timeout: 5000 }],
		[{ timeout: 0 }, {}],
		[{ timeout: '' }, {}],
		[{ timeout: '5000' }, { timeout: 5000 }],
		[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
		[{ allowUnauthorizedCerts: false }, {}],
		[{ allowUnauthorizedCerts: 'true' }, {}],
		[{ proxy: '' }, {}],
		[{ proxy: 'http://p.example:3128' }, proxyAt(3128)],
		// A no-break space, as copied from a web page.
		[{ proxy: '\u00a0http://p.example' }, proxyAt(80)],
		[{ proxy: 'http://p.example' }, proxyAt(80)],
		[{ proxy: 'https://p.example' }, proxyAt(443, { protocol: 'https' })],
		[{ proxy: 'http://us%40er:p%3Ass@p.example:1' }, proxyAt(1, { auth })],
	])('Request Options of %j become the settings %j', (options, settings) => {
		expect(readRequestOptions(options, fail)).toStrictEqual(settings);
	});

	test.each([
		'proxy here',
		'localhost:3128',
		'proxy.corp.example:3128',
		'ftp://p.example',
		'xhttp://p.example',
		'file:///etc/proxy',
		'socks5://p.example:1080',
		'http://',
		'http://p.example:x',
		7,
	])('refuse the proxy %s', (proxy) => {
		expect(() => readRequestOptions({ proxy }, fail)).toThrow(
			'Proxy is not the address of a proxy',
		);
	});

	test.each([
		['100%:se%cret', '100%', 'se%cret'],
		['us%40er:p%C3%A4%', 'us@er', 'pä%'],
	])('invalid percent-encoding in the proxy login %s is accepted', (typed, username, password) => {
		const { proxy } = readRequestOptions({ proxy: ` http://${typed}@p.example:1 ` }, fail);
		expect(proxy).toMatchObject({
			auth: { username: encodeURIComponent(username), password: encodeURIComponent(password) },
		});
	});

	test.each(['soon', -1, Infinity, true, {}, 2 ** 31])('refuse the timeout %j', (timeout) => {
		expect(() => readRequestOptions({ timeout }, fail)).toThrow('Timeout must be a number');
	});
});

describe('batching', () => {
	const batch = (batchSize?: unknown, batchInterval?: unknown) => ({
		batching: { batch: { batchSize, batchInterval } },
	});

	test.each<[unknown, number, number]>([
		[undefined, 10, 0],
		[{}, 10, 0],
		[{ batching: 'all' }, 10, 0],
		[{ batching: { batch: 5 } }, 10, 0],
		[batch(), 10, 0],
		[batch(-1, -1), 10, 0],
		[batch(0, 0), 10, 0],
		[batch(0.5), 10, 0],
		[batch(1, 1000), 1, 1000],
		[batch(2.9), 2, 0],
		[batch('3', '20'), 3, 20],
		[batch(50), 50, 0],
		[batch(51), 50, 0],
		[batch('many', 'long'), 10, 0],
	])(
		'reads %j as %d concurrent items with %d ms between batches',
		(options, concurrency, pauseMs) => {
			expect(readBatching(options)).toEqual({ concurrency, pauseMs });
		},
	);
});
