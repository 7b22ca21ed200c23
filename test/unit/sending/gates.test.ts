import { type GateOwner, gateFor, Gates } from '../../../nodes/CustomerMessaging/sending/gates';

const owner: GateOwner = {
	host: 'https://api.example',
	identity: 'brand-1234567',
	api: 'push',
	limitPerMinute: 500,
};

describe('gates', () => {
	it('are one for the same host, identity and API, and others for others', () => {
		const gates = new Gates();
		const gate = gates.gateFor(owner);
		expect(gates.gateFor({ ...owner })).toBe(gate);
		expect(gates.gateFor({ ...owner, host: 'https://other.example' })).not.toBe(gate);
		expect(gates.gateFor({ ...owner, identity: 'brand-7654321' })).not.toBe(gate);
		expect(gates.gateFor({ ...owner, api: 'email' })).not.toBe(gate);
		expect(gates.size).toBe(4);
	});

	it('do not mix up where one part ends and the next begins', () => {
		const gates = new Gates();
		expect(gates.gateFor({ ...owner, host: 'a', identity: 'bc' })).not.toBe(
			gates.gateFor({ ...owner, host: 'ab', identity: 'c' }),
		);
	});

	it('are shared by all who ask the module', () => {
		expect(gateFor(owner)).toBe(gateFor({ ...owner }));
	});

	it('take over a limit that was changed in the credential', () => {
		const gates = new Gates();
		const gate = gates.gateFor(owner);
		gates.gateFor({ ...owner, limitPerMinute: 900 });
		expect(gate.limitPerMinute).toBe(900);
	});

	it('keep no identity in clear text', () => {
		const gates = new Gates();
		gates.gateFor(owner);
		const seen: unknown[] = [];
		const keys = JSON.stringify(gates, (_key, value: unknown) => {
			if (value instanceof Map) seen.push(...value.keys());
			return value instanceof Map ? [...value.keys()] : value;
		});
		expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
		expect(keys).not.toContain('1234567');
	});

	it('do not grow without end, and never drop one that is in use', () => {
		const gates = new Gates();
		const used = gates.gateFor(owner);
		used.join(1);
		const idle = gates.gateFor({ ...owner, api: 'sms' });
		for (let index = 0; index < 5_000; index++) gates.gateFor({ ...owner, identity: `${index}` });
		expect(gates.size).toBeLessThanOrEqual(201);
		expect(gates.gateFor(owner)).toBe(used);
		expect(gates.gateFor({ ...owner, api: 'sms' })).not.toBe(idle);
	});
});
