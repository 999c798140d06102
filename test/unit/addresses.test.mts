import {
	addressOf,
	checkHost,
	checkRedirect,
	followOnHost,
	hostsOf,
	isOnHost,
	normaliseBaseUrl,
	ownDomain,
} from '../../nodes/shared/transport/address.ts';
import { retryAfterMs } from '../../nodes/shared/transport/errors/retryAfter.ts';

const BASE = 'https://m.example.com';

describe('normaliseBaseUrl', () => {
	test.each([
		['https://m.example.com', 'https://m.example.com'],
		[' https://M.example.com/// ', 'https://m.example.com'],
		['https://m.example.com/messages//', 'https://m.example.com/messages'],
		['https://m.example.com/int/v1/', 'https://m.example.com'],
		['https://m.example.com/INT/V1', 'https://m.example.com'],
		['https://m.example.com//int/v1//', 'https://m.example.com'],
		['https://m.example.com/int/v1/me', 'https://m.example.com/int/v1/me'],
		['https://m.example.com/print/v1', 'https://m.example.com/print/v1'],
		['http://intranet:8080/messages/int/v1', 'http://intranet:8080/messages'],
		['m.example.com', 'https://m.example.com'],
		['m.example.com/messages/', 'https://m.example.com/messages'],
		['intranet:8080', 'https://intranet:8080'],
		['127.0.0.1:3000', 'https://127.0.0.1:3000'],
		['[::1]:3000', 'https://[::1]:3000'],
		['[::1]', 'https://[::1]'],
		['messages-1.example.com', 'https://messages-1.example.com'],
		['bücher.example', 'https://xn--bcher-kva.example'],
		['m', 'https://m'],
		['HTTP://m.example.com', 'http://m.example.com'],
	])('%j becomes %j', (typed, expected) => {
		expect(normaliseBaseUrl(typed)).toBe(expected);
		expect(normaliseBaseUrl(expected)).toBe(expected);
	});

	test.each(['', '  ', undefined, null, 7, {}])('%j is empty', (typed) => {
		expect(() => normaliseBaseUrl(typed)).toThrow('The Base URL is empty');
	});

	test.each([
		...['ftp://m.example.com', 'see https://m.example.com', 'm example.com', '-m.example.com'],
		...['/int/v1', 'm.example.com:x'],
	])('%j has no protocol', (typed) => {
		expect(() => normaliseBaseUrl(typed)).toThrow(
			`The Base URL "${typed}" does not start with https:// (or http://)`,
		);
	});

	test.each([
		['https://', 'https://'],
		['https://m.example.com:99999', 'https://m.example.com:99999'],
		['https://m.example.com/?a=b', 'https://m.example.com/'],
		['https://m.example.com/x#y', 'https://m.example.com/x'],
		['https://ada@m.example.com', 'https://m.example.com/'],
		['https://:secret@m.example.com', 'https://m.example.com/'],
	])('%j is no address of a service', (typed, shown) => {
		expect(() => normaliseBaseUrl(typed)).toThrow(
			`The Base URL "${shown}" is not the address of a service`,
		);
	});

	test('a password does not come out in the error', () => {
		for (const start of ['https://', 'ftp://', '//', ''])
			for (const end of ['', ':99999'])
				expect(() => normaliseBaseUrl(`${start}ada:secret@m.example.com${end}`)).toThrow(
					/^(?!.*secret)/s,
				);
	});

	test('an address that goes on and on is cut', () => {
		expect(() => normaliseBaseUrl(`ftp://${'m'.repeat(1000)}`)).toThrow(/^.{0,320}$/s);
	});
});

describe('the host of the Base URL', () => {
	test.each([
		[BASE, `${BASE}/a?b`, true],
		[BASE, 'https://m.example.com:443/a', true],
		[BASE, 'https://M.EXAMPLE.COM/a', true],
		[BASE, 'https://x.example.com', false],
		[BASE, 'https://m.example.com:8443', false],
		// Less protection than the Base URL asks for.
		[BASE, 'http://m.example.com', false],
		['http://m.example.com', 'https://m.example.com', true],
		['http://m.example.com', 'https://x.example.com', false],
		['http://m.example.com:8080', 'https://m.example.com:8080', false],
		['http://m.example.com', 'https://m.example.com:8443', false],
		['http://m.example.com', 'ftp://m.example.com', false],
		['ftp://m.example.com', 'https://m.example.com', false],
		[BASE, 'no address', false],
		['no address', BASE, false],
	])('%s, %s: the same host is %s', (base, address, expected) => {
		expect(isOnHost(base, address)).toBe(expected);
		if (expected) expect(() => checkHost(base, address)).not.toThrow();
		else expect(() => checkHost(base, address)).toThrow('Nothing was sent');
	});

	test.each([
		['https://a.example.com/x', 'https://b.example.com/y', ['a.example.com', 'b.example.com']],
		[
			'https://a.example.com',
			'http://a.example.com',
			['https://a.example.com', 'http://a.example.com'],
		],
		[
			'https://a.example.com',
			'https://a.example.com:8443',
			['a.example.com', 'a.example.com:8443'],
		],
		['no address', 'https://a.example.com', ['no address', 'https://a.example.com']],
	])('%s and %s are told apart', (one, other, expected) => {
		expect(hostsOf(one, other)).toEqual(expected);
	});

	test.each([
		[{ url: '/int/v1/me' }, undefined],
		[{ url: 'int/v1/me' }, undefined],
		[{ url: '' }, undefined],
		[{ url: 'https://x.example.com/a' }, 'https://x.example.com/a'],
		[{ url: '//x.example.com/a' }, '//x.example.com/a'],
		[{ url: 'ftp+a://x' }, 'ftp+a://x'],
		[{ url: 'a/b?c=https://x.example.com' }, undefined],
		[{ url: '/int/v1/me', uri: 'https://x.example.com' }, 'https://x.example.com'],
	])('the whole address of %j is %j', (options, expected) => {
		expect(addressOf(options)).toBe(expected);
	});

	test('is the allowed domain, unless others are that leave it out', () => {
		const own = ['m.example.com', 'x.example.com, M.Example.com', '*.example.com', '*.com'];
		for (const allowed of [undefined, '', ' ', ...own])
			expect(ownDomain(BASE, allowed)).toBe('m.example.com');
		for (const other of ['x.example.com', '*.x.com', 'example.com'])
			expect(ownDomain(BASE, other)).toBe(other);
	});
});

describe('redirects', () => {
	const answer = (statusCode: number, location?: unknown) => ({
		statusCode,
		headers: location === undefined ? {} : { location: String(location) },
		body: statusCode,
	});

	test('are followed on the own host, relative ones from where they are', async () => {
		const asked: string[] = [];
		const answers = [answer(302, '/b/c'), answer(307, 'd'), answer(200)];
		const last = await followOnHost(
			BASE,
			'/a',
			answer(301, 'https://m.example.com/b'),
			async (url) => {
				asked.push(url);
				return answers.shift() ?? answer(500);
			},
		);
		expect(asked).toEqual([`${BASE}/b`, `${BASE}/b/c`, `${BASE}/b/d`]);
		expect(last.statusCode).toBe(200);
	});

	test.each([
		[answer(200, '/b')],
		[answer(304, '/b')],
		[answer(404, '/b')],
		[answer(302)],
		[answer(302, 'https://')],
	])('%j leads nowhere', async (first) => {
		const follow = jest.fn<Promise<never>, [string]>();
		expect(await followOnHost(BASE, '/a', first, follow)).toBe(first);
		expect(() => checkRedirect(BASE, '/a', first)).not.toThrow();
		expect(follow).not.toHaveBeenCalled();
	});

	test.each([301, 302, 303, 307, 308])(
		'%d to another host is refused, nothing is sent there',
		async (status) => {
			const first = answer(status, 'https://x.example.com/b');
			const follow = jest.fn<Promise<never>, [string]>();
			const message = 'The service at m.example.com sent the request on to x.example.com';
			await expect(followOnHost(BASE, '/a', first, follow)).rejects.toMatchObject({
				message,
				httpCode: String(status),
			});
			expect(follow).not.toHaveBeenCalled();
			expect(() => checkRedirect(BASE, '/a', first)).toThrow(message);
			expect(() => checkRedirect(BASE, '/a', answer(status, '/b'))).not.toThrow();
		},
	);

	test('five are followed, the sixth is a circle', async () => {
		const leads = (count: number) => async () => (count-- > 0 ? answer(302, '/a') : answer(200));
		const first = answer(302, '/a');
		expect((await followOnHost(BASE, '/a', first, leads(4))).statusCode).toBe(200);
		await expect(followOnHost(BASE, '/a', first, leads(5))).rejects.toThrow(
			'The service redirects the request in a circle',
		);
	});
});

describe('Retry-After', () => {
	test('is a number of seconds, or none', () => {
		const waits = ['3', ' 0 ', '120', '1.5'].map((value) => retryAfterMs({ 'retry-after': value }));
		expect(waits).toEqual([3_000, 0, 120_000, 1_500]);
		for (const value of ['', ' ', 'soon', '3 s', 's 3', 'in 3 s', '-3', 'Sunday', 3])
			expect(retryAfterMs({ 'retry-after': value })).toBeUndefined();
		for (const headers of [{}, null, undefined, 'retry-after'])
			expect(retryAfterMs(headers)).toBeUndefined();
	});

	test('a date asks to wait until then, one that is over for nothing', () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-31T09:15:00Z'));
		try {
			expect(retryAfterMs({ 'retry-after': 'Sat, 31 Jan 2026 09:15:07 GMT' })).toBe(7_000);
			expect(retryAfterMs({ 'retry-after': 'Sat, 31 Jan 2026 09:14:00 GMT' })).toBe(0);
			expect(retryAfterMs({ 'retry-after': 'Saturday, 31-Jan-26 09:15:07 GMT' })).toBe(7_000);
			expect(retryAfterMs({ 'retry-after': 'Sat Jan 31 09:15:07 2026 GMT' })).toBe(7_000);
			expect(retryAfterMs({ 'retry-after': '2026-01-31T09:15:07Z' })).toBe(7_000);
		} finally {
			jest.restoreAllMocks();
		}
	});
});
