import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	hideSecrets,
	cleanPastedText,
	secretsOf,
	textFromService,
} from '../../nodes/shared/transport/secrets.ts';
import fc from '../kit/property.mts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secretsOf', () => {
	test.each<[ICredentialDataDecryptedObject, string[]]>([
		[
			{ clientId: 'client-1', clientSecret: ' s3cret/value ' },
			[
				...['s3cret/value', 's3cret%2Fvalue', 'client-1:s3cret/value'],
				...['client-1%3As3cret%2Fvalue', 'Y2xpZW50LTE6czNjcmV0L3ZhbHVl'],
			],
		],
		[{ clientId: 'client-1', clientSecret: '' }, []],
		[{ accessKey: ' a"b\\c d ' }, ['a"b\\c d', 'a\\"b\\\\c d', 'a%22b%5Cc%20d']],
		// Texts shorter than four characters are not secrets.
		[{ accessKey: 'abc' }, []],
		[{ accessKey: 'abcd' }, ['abcd']],
		[{ accessKey: 12345, clientSecret: true, baseUrl: { a: 'b' } }, []],
	])('for %j, returns the secrets %j', (credentials, expected) => {
		expect([...secretsOf(credentials)].sort()).toEqual([...expected].sort());
	});

	test('includes the Base64 credentials with and without padding', () => {
		const secrets = secretsOf({ clientId: 'a', clientSecret: 'bcdef' });
		const sent = base64('a:bcdef');
		expect(sent).toMatch(/=$/);
		expect(hideSecrets(`Bearer ${sent}`, secrets)).toBe('Bearer ***==');
		expect(hideSecrets(sent.replace(/=+$/, ''), secrets)).toBe('***');
	});

	test('returns unique secrets, and hides the longest first, because a secret may contain a shorter one', () => {
		const secrets = secretsOf({ accessKey: 'part' }, 'part', 'part of it');
		expect(secrets).toEqual(['part', 'part of it', 'part%20of%20it']);
		// The secrets of several attempts to send a request.
		const all = [...secrets, ...secretsOf({}, 'a part of it')];
		expect(hideSecrets('It is a part of it.', all)).toBe('It is ***.');
	});
});

test('hides every secret in any surrounding text', () => {
	const secret = fc
		.stringMatching(/^[\w/+ "\\-]{4,20}$/)
		.filter((text) => cleanPastedText(text).length >= 4);
	fc.assert(
		fc.property(secret, fc.string(), fc.string(), (accessKey, before, after) => {
			const secrets = secretsOf({ accessKey });
			const key = cleanPastedText(accessKey);
			const text = `${before}${key}${after}`;
			for (const shown of [hideSecrets(text, secrets), textFromService(text, secrets)]) {
				// The mask itself may contain a key that consists of asterisks.
				if (!'***'.includes(key)) expect(shown).not.toContain(key);
			}
		}),
	);
});

describe('shown text', () => {
	test('hides a secret that is too long for a regular expression, whatever its case and characters', () => {
		const secret = 'A(c['.repeat(20_000);
		expect(secretsOf({ accessKey: secret })).toContain(secret);
		for (const said of [secret, secret.toUpperCase()]) {
			expect(hideSecrets(`İ ${said}, ${said}.`, [secret])).toBe('İ ***, ***.');
		}
	});

	test('limits a text of the service to 2,000 characters', () => {
		expect(textFromService(` ${'a'.repeat(2000)} `, [])).toBe('a'.repeat(2000));
		expect(textFromService('a'.repeat(2001), [])).toBe(`${'a'.repeat(1999)}…`);
		expect(textFromService({ a: 1 }, [])).toBe('');
	});

	test('hides a secret before truncating the text', () => {
		expect(textFromService(`${'a'.repeat(1995)}secret-key`, ['secret-key'])).toBe(
			`${'a'.repeat(1995)}***`,
		);
	});
});

test.each([
	' key ',
	'"key"',
	"'key'",
	'“key”',
	'„key“',
	'`key`',
	'”key’',
	'\u200bkey\ufeff',
	' " key\u200b" ',
	'key',
])('%j in a credential means key', (typed) => {
	expect(cleanPastedText(typed)).toBe('key');
});
