import { type AccountApi, AccountRegistry } from '../../../nodes/CustomerMessaging/shared/apis';

const account: AccountApi = { host: 'https://api.example', identity: 'brand-1234567', api: 'push' };

const create = () => ({ inUse: false });

describe('The registry of accounts and APIs', () => {
	it('returns one entry for the same host, identity and API, and another one for any other', () => {
		const registry = new AccountRegistry<{ inUse: boolean }>();
		const entry = registry.get(account, create);
		expect(registry.get({ ...account }, create)).toBe(entry);
		expect(registry.get({ ...account, host: 'https://other.example' }, create)).not.toBe(entry);
		expect(registry.get({ ...account, identity: 'brand-7654321' }, create)).not.toBe(entry);
		expect(registry.get({ ...account, api: 'email' }, create)).not.toBe(entry);
		expect(registry.size).toBe(4);
	});

	it('does not confuse accounts whose host and identity read the same when joined', () => {
		const registry = new AccountRegistry<{ inUse: boolean }>();
		const entry = registry.get({ ...account, host: 'ab', identity: 'c' }, create);
		expect(registry.get({ ...account, host: 'a', identity: 'bc' }, create)).not.toBe(entry);
	});

	it('keeps no identity in clear text', () => {
		const registry = new AccountRegistry<{ inUse: boolean }>();
		registry.get(account, create);
		const seen: unknown[] = [];
		const keys = JSON.stringify(registry, (_key, value: unknown) => {
			if (value instanceof Map) seen.push(...value.keys());
			return value instanceof Map ? [...value.keys()] : value;
		});
		expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
		expect(keys).not.toContain('1234567');
	});

	it('forgets entries that are out of use, and never one that is in use', () => {
		const registry = new AccountRegistry<{ inUse: boolean }>();
		const used = registry.get(account, () => ({ inUse: true }));
		const idle = registry.get({ ...account, api: 'sms' }, create);
		for (let index = 0; index < 5_000; index++) {
			registry.get({ ...account, identity: `${index}` }, create);
		}
		expect(registry.size).toBe(200);
		expect(registry.get(account, create)).toBe(used);
		expect(registry.get({ ...account, api: 'sms' }, create)).not.toBe(idle);
	});
});
