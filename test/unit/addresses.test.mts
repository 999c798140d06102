import {
	absoluteUrlOf,
	checkHost,
	normalizeBaseUrl,
	allowedDomainsFor,
} from '../../nodes/shared/transport/address.ts';
import { parseRetryAfter } from '../../nodes/shared/transport/retry.ts';
import { countCpuTime } from '../kit/cpuTime.mts';

const BASE = 'https://m.example.com';
const NO_PROTOCOL = 'does not start with https:// (or http://)';
const NO_SERVICE = 'is not the address of a service';

describe('normalizeBaseUrl', () => {
	test.each([
		[' https://M.example.com/// ', 'https://m.example.com'],
		['https://m.example.com/INT/V1', 'https://m.example.com'],
		['https://m.example.com//int/v1//', 'https://m.example.com'],
		['https://m.example.com/int/v1/me', 'https://m.example.com/int/v1/me'],
		['https://m.example.com/print/v1', 'https://m.example.com/print/v1'],
		['http://intranet:8080/messages/int/v1', 'http://intranet:8080/messages'],
		['m.example.com/messages/', 'https://m.example.com/messages'],
		['127.0.0.1:3000', 'https://127.0.0.1:3000'],
		['[::1]', 'https://[::1]'],
		['bücher.example', 'https://xn--bcher-kva.example'],
		['m', 'https://m'],
		['"https://m.example.com\ufeff"', 'https://m.example.com'],
	])('%j becomes %j', (typed, expected) => {
		expect(normalizeBaseUrl(typed)).toBe(expected);
		expect(normalizeBaseUrl(expected)).toBe(expected);
	});

	test.each<[unknown, string]>([
		...['', '  ', undefined, null, 7, {}].map((typed): [unknown, string] => [typed, 'is empty']),
		...[
			...['ftp://m.example.com', 'see https://m.example.com', 'm example.com', '-m.example.com'],
			...['/int/v1', 'm.example.com:x'],
		].map((typed): [string, string] => [typed, `"${typed}" ${NO_PROTOCOL}`]),
		['https://', `"https://" ${NO_SERVICE}`],
		['https://m.example.com:99999', `"https://m.example.com:99999" ${NO_SERVICE}`],
		['https://m.example.com/?a=b', `"https://m.example.com/" ${NO_SERVICE}`],
		['https://m.example.com/x#y', `"https://m.example.com/x" ${NO_SERVICE}`],
		['https://ada@m.example.com', `"https://m.example.com/" ${NO_SERVICE}`],
		['https://:secret@m.example.com', `"https://m.example.com/" ${NO_SERVICE}`],
	])('refuses %j: the Base URL %s', (typed, problem) => {
		expect(() => normalizeBaseUrl(typed)).toThrow(`The Base URL ${problem}`);
	});

	test('hides a password in its error', () => {
		for (const start of ['https://', 'ftp://', '//', '', 'see https://'])
			for (const end of ['', ':99999'])
				expect(() => normalizeBaseUrl(`${start}ada:secret@m.example.com${end}`)).toThrow(
					/^(?!.*secret)/s,
				);
	});

	test('truncates a long address in its error, in linear time', () => {
		const cpuTime = countCpuTime();
		expect(() => normalizeBaseUrl(`ftp://${'m'.repeat(100_000)}`)).toThrow(/^.{0,320}$/s);
		expect(cpuTime()).toBeLessThan(1_000);
	});
});

describe('hosts', () => {
	test.each([
		[BASE, `${BASE}/a?b`, true],
		[BASE, 'https://m.example.com:443/a', true],
		[BASE, 'https://M.EXAMPLE.COM/a', true],
		[BASE, 'https://x.example.com', false],
		[BASE, 'https://m.example.com:8443', false],
		// HTTP is less secure than the HTTPS of the Base URL.
		[BASE, 'http://m.example.com', false],
		['http://m.example.com', 'https://m.example.com', true],
		['http://m.example.com', 'https://x.example.com', false],
		['http://m.example.com:8080', 'https://m.example.com:8080', false],
		['http://m.example.com', 'https://m.example.com:8443', false],
		['http://m.example.com', 'ftp://m.example.com', false],
		[BASE, 'no address', false],
	])('for %s and %s, the check for the same host returns %j', (base, address, expected) => {
		if (expected) expect(() => checkHost(base, address)).not.toThrow();
		else expect(() => checkHost(base, address)).toThrow('Nothing was sent');
	});

	test.each([
		[{ url: '/int/v1/me' }, undefined],
		[{ url: 'https://x.example.com/a' }, 'https://x.example.com/a'],
		[{ url: '//x.example.com/a' }, '//x.example.com/a'],
		[{ url: 'ftp+a://x' }, 'ftp+a://x'],
		[{ url: 'a/b?c=https://x.example.com' }, undefined],
		[{ url: '/int/v1/me', uri: 'https://x.example.com' }, 'https://x.example.com'],
	])('reads %j and returns the absolute address %j', (options, expected) => {
		expect(absoluteUrlOf(options)).toBe(expected);
	});

	test('narrows the allowed domains to the domain of the Base URL if they include it', () => {
		const own = ['m.example.com', 'x.example.com, M.Example.com', '*.example.com', '*.com'];
		for (const allowed of [undefined, '', ' ', ...own])
			expect(allowedDomainsFor(BASE, allowed)).toBe('m.example.com');
		for (const other of ['x.example.com', '*.x.com', '*.ple.com', 'example.com'])
			expect(allowedDomainsFor(BASE, other)).toBe(other);
	});
});

describe('Retry-After', () => {
	test('Retry-After can be a number of seconds, and is ignored if it is invalid', () => {
		const waits = ['3', ' 0 ', '120', '1.25'].map((value) =>
			parseRetryAfter({ 'retry-after': value }),
		);
		expect(waits).toEqual([3_000, 0, 120_000, 1_250]);
		for (const value of ['', ' ', 'soon', '3 s', 's 3', 'in 3 s', '-3', 'Sunday', 3])
			expect(parseRetryAfter({ 'retry-after': value })).toBeUndefined();
		for (const headers of [{}, null, undefined, 'retry-after'])
			expect(parseRetryAfter(headers)).toBeUndefined();
	});

	test.each([
		['Sat, 31 Jan 2026 09:15:07 GMT', 7_000],
		['Sat, 31 Jan 2026 09:14:00 GMT', 0],
	])('Retry-After can be the date %s', (value, expected) => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-31T09:15:00Z'));
		expect(parseRetryAfter({ 'retry-after': value })).toBe(expected);
		now.mockRestore();
	});
});
