import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedN8n } from './shared-n8n.mts';

const client = { authentication: 'clientCredentials' };

/** Changes to the credential, and the expected error. */
const cases = [
	['with the right access key', {}, undefined],
	['with a wrong access key', { accessKey: 'wrong' }, /Invalid access token/],
	['with the right client ID and secret', client, undefined],
	[
		'with a wrong client secret',
		{ ...client, clientSecret: 'wrong' },
		/Invalid client credentials/,
	],
] as const;

describe('the credential test', () => {
	for (const [what, changes, problem] of cases) {
		test(`${problem ? 'fails' : 'succeeds'} ${what}`, async () => {
			const { rest, credential, credentialData, emulator } = await sharedN8n();
			const { clientId, clientSecret } = emulator;
			const data = { ...credentialData, clientId, clientSecret, ...changes };
			const { status, message } = await rest.testCredential(credential, data);
			assert.equal(status, problem ? 'Error' : 'OK', message);
			if (problem) assert.match(message, problem);
		});
	}
});
