import assert from 'node:assert/strict';
import { freePort } from '../../../scripts/n8n/ports';
import { sandboxCredentials } from '../../../scripts/start/sandboxCredentials';
import { say } from '../../../scripts/steps';
import type { Bench } from '../bench';

/** Tests credentials as the editor's form does when one is saved. What can be wrong has a message of its own each. */
export async function credentialsTested({ client, sandbox }: Bench): Promise<void> {
	const nobody = `http://127.0.0.1:${await freePort()}`;
	for (const { id: _named, ...credential } of sandboxCredentials(sandbox.urls)) {
		const verdict = async (what: string, changes: object) => {
			const name = `${credential.name}, ${what}`;
			const changed = { ...credential, name, data: { ...credential.data, ...changes } };
			const { id } = await client.createCredential(changed);
			const { status, message } = await client.testCredential({ ...changed, id });
			say(`    ${name}: ${status}: ${message}`);
			assert.ok(!message.includes('not-the-secret'), 'no secret in a message');
			return { status, message };
		};
		assert.equal((await verdict('right', {})).status, 'OK');

		const isKey = credential.type === 'customerMessagingApi';
		const secret = await verdict('wrong secret', {
			[isKey ? 'apiKey' : 'accessToken']: 'not-the-secret',
		});
		// The push host knows no path of the user API.
		const address = await verdict('wrong address', { baseUrl: sandbox.urls.pushUrl });
		const unreachable = await verdict('nobody there', {
			...{ baseUrl: nobody, pushUrl: nobody, mailUrl: nobody },
		});
		const wrong = [secret, address, unreachable];
		assert.deepEqual(
			wrong.map(({ status }) => status),
			['Error', 'Error', 'Error'],
		);
		assert.match(secret.message, /invalid credentials|not accepted|key|token/i);
		assert.match(address.message, /address/i);
		assert.ok(unreachable.message.includes(nobody.replace('http://', '')), `it names ${nobody}`);
		assert.equal(new Set(wrong.map(({ message }) => message)).size, 3, 'three messages');
	}
	assert.deepEqual(sandbox.accepted(), [], 'testing a credential reaches nobody');
}
