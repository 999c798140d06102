import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	hideSecrets,
	secretsOf,
	foreignText,
	storedData,
} from '../../nodes/shared/transport/secrets.ts';
import { truncate } from '../../nodes/shared/truncate.ts';
import fc from '../kit/property.mts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secretsOf', () => {
	const credentials: ICredentialDataDecryptedObject = {
		baseUrl: 'https://messages.example.com',
		authentication: 'clientCredentials',
		clientId: 'client-1',
		clientSecret: ' s3cret/value ',
	};

	test('the client secret, the pair of id and secret, and that pair as it is sent', () => {
		const pair = 'client-1:s3cret/value';
		expect(new Set(secretsOf(credentials))).toEqual(
			new Set([
				's3cret/value',
				encodeURIComponent('s3cret/value'),
				pair,
				encodeURIComponent(pair),
				base64(pair).replace(/=+$/, ''),
			]),
		);
	});

	test('the client ID alone is no secret', () => {
		expect(secretsOf(credentials)).not.toContain('client-1');
		expect(secretsOf({ ...credentials, clientSecret: '' })).toEqual([]);
	});

	test('the pair is found with and without the padding of Base64', () => {
		const secrets = secretsOf({ clientId: 'a', clientSecret: 'bcdef' });
		const sent = base64('a:bcdef');
		expect(sent).toMatch(/=$/);
		expect(hideSecrets(`Bearer ${sent}`, secrets)).toBe('Bearer ***==');
		expect(hideSecrets(sent.replace(/=+$/, ''), secrets)).toBe('***');
	});

	test('access tokens; none is needed', () => {
		expect(secretsOf({}, 'token-1', undefined, 'token-2')).toEqual(['token-1', 'token-2']);
	});

	test('the access key as JSON and as a URL write it', () => {
		expect(new Set(secretsOf({ accessKey: ' a"b\\c d ' }))).toEqual(
			new Set(['a"b\\c d', 'a\\"b\\\\c d', 'a%22b%5Cc%20d']),
		);
	});

	test.each([
		['https://ada:hunter22@m.example.com', ['ada:hunter22', 'ada%3Ahunter22', 'hunter22']],
		['HTTPS://ada:p@ss@m.example.com/x', ['ada%3Ap%40ss', 'ada:p@ss', 'p%40ss', 'p@ss']],
		['ada:hunter22@m.example.com', ['hunter22']],
		['//token-only@m.example.com', ['token-only']],
		['https://m.example.com/a@b?c=d@e', []],
		['https://m.example.com?x=hunter22@y', []],
		['https://m.example.com#hunter22@y', []],
		['https://@m.example.com', []],
		['', []],
	])('user and password of the Base URL %s', (baseUrl, expected) => {
		expect([...secretsOf({ baseUrl })].sort()).toEqual([...expected].sort());
	});

	test('what is shorter than four characters hides nothing', () => {
		expect(secretsOf({ accessKey: 'abc' })).toEqual([]);
		expect(secretsOf({ accessKey: 'abcd' })).toEqual(['abcd']);
	});

	test('no text twice, the longest first, for one may be part of another', () => {
		const secrets = secretsOf({ accessKey: 'part' }, 'part', 'part of it', 'a part of it');
		expect(secrets).toEqual([
			'a%20part%20of%20it',
			'part%20of%20it',
			'a part of it',
			'part of it',
			'part',
		]);
		expect(hideSecrets('It is a part of it.', secrets)).toBe('It is ***.');
	});

	test('half a character has no form in a URL, and is hidden all the same', () => {
		const accessKey = 'key-\ud83d';
		expect(hideSecrets(`(${accessKey})`, secretsOf({ accessKey }))).toBe('(***)');
	});

	test('values that are no text are none', () => {
		expect(secretsOf({ accessKey: 12345, clientSecret: true, baseUrl: { a: 'b' } })).toEqual([]);
	});
});

test('whatever the secret and the text around it, it is nowhere in what is shown or kept', () => {
	const secret = fc.stringMatching(/^[\w/+ "\\-]{4,20}$/).filter((text) => text.trim().length >= 4);
	fc.assert(
		fc.property(secret, fc.string(), fc.string(), (accessKey, before, after) => {
			const secrets = secretsOf({ accessKey });
			const key = accessKey.trim();
			const text = `${before}${key}${after}`;
			for (const shown of [
				hideSecrets(text, secrets),
				foreignText(text, secrets),
				JSON.stringify(storedData({ said: text, nested: [{ [key]: key }] }, secrets)),
				String(storedData(text, secrets)),
			]) {
				// The asterisks themselves may be part of a text around them.
				if (!'***'.includes(key)) expect(shown).not.toContain(key);
			}
		}),
	);
});

describe('what is shown and kept', () => {
	test('every place of a secret is hidden', () => {
		expect(hideSecrets('key-1 and key-1', ['key-1'])).toBe('*** and ***');
	});

	test('a text of the service’s has at most 2,000 characters', () => {
		expect(foreignText(` ${'a'.repeat(2000)} `, [])).toBe('a'.repeat(2000));
		expect(foreignText('a'.repeat(2001), [])).toBe(`${'a'.repeat(1999)}…`);
		expect(foreignText({ a: 1 }, [])).toBe('');
	});

	test('a response that is nested too deep is no error of its own', () => {
		let deep: object = {};
		for (let level = 0; level < 20_000; level++) deep = { deep };
		expect(storedData(deep, [])).toMatchObject({ text: expect.stringContaining('too deep') });
	});

	test('a secret is hidden before the text is cut: no half of it stays', () => {
		expect(foreignText(`${'a'.repeat(1995)}secret-key`, ['secret-key'])).toBe(
			`${'a'.repeat(1995)}***`,
		);
	});

	test('a response is kept as it is, or as the beginning of its text', () => {
		expect(storedData({ a: [1, 'b'] }, [])).toEqual({ a: [1, 'b'] });
		expect(storedData('plain text', [])).toBe('plain text');
		expect(storedData('a'.repeat(10_001), [])).toBe(`${'a'.repeat(9_999)}…`);
		const large = storedData({ text: 'b'.repeat(10_000) }, []);
		expect(large).toBe(`{"text":"${'b'.repeat(9_990)}…`);
		const fits = { text: 'b'.repeat(9_989) };
		expect(storedData(fits, [])).toEqual(fits);
	});

	test('a response that is no JSON any more without its secrets is kept as text', () => {
		expect(storedData({ a: 1 }, ['{"a"'])).toEqual({ text: '***:1}' });
	});

	test.each([
		['abc', 3, 'abc'],
		['abcd', 3, 'ab…'],
		['', 3, ''],
	])('cut(%j, %d) is %j', (text, length, expected) => {
		expect(truncate(text, length)).toBe(expected);
	});
});
