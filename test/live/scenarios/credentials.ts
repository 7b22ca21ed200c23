import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../scripts/n8n/ports';
import type { Credential } from '../../../scripts/n8n/client';
import { sandboxCredentials } from '../../../scripts/start/sandbox-credentials';
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

/** A wrong brand, and on each of the three addresses what people enter or find there by mistake. */
export async function wrongAddresses(bench: Bench): Promise<void> {
	const { sandbox } = bench;
	const credential = sandboxCredentials(sandbox.urls).at(-1);
	assert.ok(credential);
	const messageFor = async (data: Record<string, unknown>) => {
		const { status, message } = await verdict(bench, {
			...credential,
			data: { ...credential.data, ...data },
		});
		assert.equal(status, 'Error');
		return message;
	};
	assert.match(await messageFor({ brandId: 'no-such-brand' }), /Check Brand ID and API Key\./);

	const addresses = [
		['baseUrl', 'User and Event API URL'],
		['pushUrl', 'Push API URL'],
		['mailUrl', 'Email and SMS API URL'],
	] as const;
	const web = createServer((request, response) => {
		request.resume();
		response.end('<!DOCTYPE html><title>Welcome</title>');
	});
	await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
	const page = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
	try {
		for (const [field, label] of addresses) {
			const other = field === 'pushUrl' ? sandbox.urls.mailUrl : sandbox.urls.pushUrl;
			assert.match(
				await messageFor({ [field]: other }),
				new RegExp(`answered 404 where the .* API should be\\. Check the '${label}'`),
			);
			assert.match(await messageFor({ [field]: page }), /answered with a web page \(200\)/);
			assert.match(
				await messageFor({ [field]: page.replace('http:', 'https:') }),
				/does not speak https/,
			);
			assert.match(
				await messageFor({ [field]: 'api.example.com' }),
				/Did you mean https:\/\/api\.example\.com\?/,
			);
		}
	} finally {
		web.closeAllConnections();
		await new Promise((resolve) => web.close(resolve));
	}
}
