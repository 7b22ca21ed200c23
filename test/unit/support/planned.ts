import type { INodeParameters } from 'n8n-workflow';

import type { N8n } from '../../../nodes/CustomerMessaging/n8n/context';
import { planRun } from '../../../nodes/CustomerMessaging/plan/plan';
import { resolveRun } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { fakeN8n } from '../../../simulation/fakeN8n';
import { VirtualClock } from '../../../simulation/virtualClock';

const address = 'https://api.example.com';
const data = {
	...{ baseUrl: address, pushUrl: address, mailUrl: address },
	...{ brandId: 'brand', apiKey: 'key' },
};

/** Plans a push to the user of each row, as far as the engine. Nothing can be sent. */
export async function planPushes(rows: Array<{ id?: string }>, more: Partial<N8n> = {}) {
	const parameters: INodeParameters = {
		...{ resource: 'push', operation: 'send', platforms: ['web'], recipientBy: 'user_id' },
		...{ user_id: '={{ $json.id }}', title: 'Hello', message: 'There' },
		...{ url: 'https://shop.example', sendAt: 'now', options: {} },
	};
	const clock = new VirtualClock(Date.parse('2026-11-23T12:00:00Z'));
	const n8n: N8n = {
		...fakeN8n(clock, async () => await Promise.reject(new Error('Planning sends nothing'))),
		raw: (name) => parameters[name],
		read: (name) => parameters[name],
		getCredential: async (type) => await Promise.resolve({ id: '1', name: 'Account', type, data }),
		...more,
	};
	const items = rows.map((json) => ({ json }));
	const { run, problems } = await resolveRun(n8n, items);
	if (problems) throw new Error(problems.map(({ rule }) => rule).join());
	const plan = await planRun(run, items, n8n);
	return { plan, run: plan.run, items, n8n };
}
