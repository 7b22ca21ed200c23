import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { type Arrival, type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { type Order, type Report, execute } from './engine';
import { useNewStore } from './memoryStore';

export const apiKey = 'sandbox-key';
export const brandId = 'sandbox-brand';
export const accessToken = 'sandbox-token';

/** Enough calls a minute that no test waits for the limit. */
const ample = 1_000_000;
export const ampleLimits = {
	user: ample,
	event: ample,
	campaign: ample,
	reporting: ample,
	push: ample,
	email: ample,
	sms: ample,
};

/** One sandbox for the tests of a file, which is reset before each. n8n then knows nothing of what was sent. */
export function useSandbox(options: SandboxOptions = {}): () => Sandbox {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ limits: ampleLimits, ...options });
	});
	beforeEach(() => {
		sandbox.reset();
		useNewStore();
	});
	afterAll(async () => await sandbox.close());
	return () => sandbox;
}

/** Brand ID and API key, and limits as the sandbox has them. */
export function keyCredential({ urls }: Pick<Sandbox, 'urls'>): ICredentialDataDecryptedObject {
	return { ...urls, brandId, apiKey, ...raisedLimits };
}

/** The access token of a partner app. */
export function tokenCredential({ urls }: Pick<Sandbox, 'urls'>): ICredentialDataDecryptedObject {
	return { ...urls, accessToken, ...raisedLimits };
}

export const limitFields = (limits: Readonly<Record<string, number>>) =>
	Object.fromEntries(Object.entries(limits).map(([api, most]) => [`${api}Limit`, most]));
const raisedLimits = { customLimits: true, ...limitFields(ampleLimits) };

/** Runs the node against the sandbox with the API key, or with the token if the parameters say so. */
export async function run(
	sandbox: Sandbox,
	parameters: INodeParameters,
	rest: Partial<Order> = {},
): Promise<Report> {
	const credential =
		parameters.authentication === 'partnerToken'
			? tokenCredential(sandbox)
			: keyCredential(sandbox);
	return await execute({ parameters, credential, ...rest });
}

/** The bodies that arrived, oldest first. */
export function bodies({ record }: Pick<Sandbox, 'record'>): unknown[] {
	return record.map(({ body }) => body);
}

/** The only request that arrived. Throws if there was not exactly one. */
export function onlyArrival({ record }: Pick<Sandbox, 'record'>): Arrival {
	const [arrival, ...others] = record;
	if (!arrival || others.length > 0) throw new Error(`${record.length} requests arrived, not one`);
	return arrival;
}

/**
 * Stops the clock for the tests of a file, so that the present is known to the second. Timers run
 * on, because real HTTP needs them.
 */
export function freezeClock(iso: string): void {
	const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
	const immediate = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
	beforeAll(() => {
		jest.useFakeTimers({
			now: new Date(iso),
			doNotFake: ['hrtime', 'performance', ...immediate, ...timers],
		});
	});
	beforeEach(() => at(iso));
	afterAll(() => {
		jest.useRealTimers();
	});
}

/** Sets the clock to a time, for tests whose clock is stopped. */
export const at = (time: string | number) => jest.setSystemTime(new Date(time));
export const passMinutes = (minutes: number) => at(Date.now() + minutes * 60_000);
