import assert from 'node:assert/strict';
import { freePort } from '../../../scripts/n8n/ports';
import type { Credential } from '../../../scripts/n8n/client';
import { sandboxCredentials } from '../../../scripts/start/sandboxCredentials';
import { say } from '../../../scripts/steps';
import type { Bench } from '../bench';

/** Tests a credential as the editor's form does when it is saved. */
async function verdict(
	{ client }: Bench,
	{ id: _named, ...credential }: Credential,
): Promise<{ status: string; message: string }> {
	const stored = await client.createCredential(credential);
	const answer = await client.testCredential({ ...credential, id: stored.id });
	say(`    ${credential.name}: ${answer.status}: ${answer.message}`);
	return answer;
}

export async function rightCredentials(bench: Bench): Promise<void> {
	for (const credential of sandboxCredentials(bench.sandbox.urls)) {
		assert.equal((await verdict(bench, credential)).status, 'OK', credential.name);
	}
	assert.deepEqual(bench.sandbox.accepted(), [], 'testing a credential must reach nobody');
}

/** Three things can be wrong, and each must be told apart from the others by its message. */
export async function wrongCredentials(bench: Bench): Promise<void> {
	const { urls } = bench.sandbox;
	const nobody = `http://127.0.0.1:${await freePort()}`;
	for (const credential of sandboxCredentials(urls)) {
		const secret = credential.type === 'customerMessagingApi' ? 'apiKey' : 'accessToken';
		const wrong = async (what: string, data: Record<string, unknown>) =>
			await verdict(bench, {
				...credential,
				name: `${credential.name}, ${what}`,
				data: { ...credential.data, ...data },
			});

		const key = await wrong('wrong secret', { [secret]: 'not-the-secret' });
		// The push host knows no path of the user API.
		const address = await wrong('wrong address', { baseUrl: urls.pushUrl });
		const unreachable = await wrong('nobody there', {
			baseUrl: nobody,
			pushUrl: nobody,
			mailUrl: nobody,
		});

		for (const answer of [key, address, unreachable]) assert.equal(answer.status, 'Error');
		assert.match(key.message, /invalid credentials|not accepted|key|token/i);
		assert.match(address.message, /address/i);
		assert.ok(
			unreachable.message.includes(nobody.replace('http://', '')),
			`it must name ${nobody}: ${unreachable.message}`,
		);
		assert.equal(
			new Set([key.message, address.message, unreachable.message]).size,
			3,
			'three different messages',
		);
		for (const { message } of [key, address, unreachable])
			assert.ok(!message.includes('not-the-secret'), 'no secret in a message');
	}
}
