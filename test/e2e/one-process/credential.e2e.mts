import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedSandbox } from './shared-sandbox.mts';

describe('the credential test', () => {
	test('is green with the right access key', async () => {
		const { rest, credential, credentialData } = await sharedSandbox();
		const result = await rest.testCredential(credential, credentialData);
		assert.equal(result.status, 'OK', result.message);
	});

	test("is red with a wrong access key, with the service's message", async () => {
		const { rest, credential, credentialData } = await sharedSandbox();
		const result = await rest.testCredential(credential, { ...credentialData, accessKey: 'wrong' });
		assert.equal(result.status, 'Error');
		assert.match(result.message, /Invalid access token/);
	});

	test('is green with the right client id and secret', async () => {
		const { rest, credential, credentialData, emulator } = await sharedSandbox();
		const result = await rest.testCredential(credential, {
			...credentialData,
			authentication: 'clientCredentials',
			clientId: emulator.clientId,
			clientSecret: emulator.clientSecret,
		});
		assert.equal(result.status, 'OK', result.message);
	});

	test('is red with a wrong client secret', async () => {
		const { rest, credential, credentialData, emulator } = await sharedSandbox();
		const result = await rest.testCredential(credential, {
			...credentialData,
			authentication: 'clientCredentials',
			clientId: emulator.clientId,
			clientSecret: 'wrong',
		});
		assert.equal(result.status, 'Error');
		assert.match(result.message, /Invalid client credentials/);
	});
});
