import type { INodeParameters } from 'n8n-workflow';

import { type Endpoint, full, minimal, present } from '../support/endpoints';
import { everythingIn } from '../support/everything';
import * as order from '../support/orders';
import { accessToken, apiKey, freezeClock, run, useSandbox } from '../support/service';

freezeClock(present);
const sandbox = useSandbox();

const hosts = { base: 'baseUrl', push: 'pushUrl', mail: 'mailUrl' } as const;
const byName = (endpoints: Endpoint[]) =>
	endpoints.map((endpoint) => [endpoint.name, endpoint] as const);

describe('Preview only', () => {
	it.each(byName(full))('shows what %s would send and sends nothing', async (_, endpoint) => {
		const { parameters, host, path, body } = endpoint;
		const { output, error } = await run(sandbox(), {
			...parameters,
			options: { previewOnly: true },
		});

		expect(sandbox().record).toEqual([]);
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({
			outcome: 'preview',
			resource: parameters.resource,
			operation: parameters.operation,
			method: 'POST',
			url: `${sandbox().urls[hosts[host]]}${path}`,
		});
		expect(output[0]?.json.body).toStrictEqual(body);
		expect(output[0]?.pairedItem).toEqual({ item: 0 });
	});

	it.each(['apiKey', 'partnerToken'])('holds no secret with %s', async (authentication) => {
		const { run: all, output } = await run(sandbox(), {
			...order.emailSend,
			authentication,
			options: { previewOnly: true, includeRequest: true },
		});

		expect(output[0]?.json.outcome).toBe('preview');
		const told = JSON.stringify(all) + everythingIn(all);
		expect(told).not.toContain(apiKey);
		expect(told).not.toContain(accessToken);
	});

	it('shows each user of a batch by itself', async () => {
		const { output } = await run(
			sandbox(),
			{
				...order.createUser,
				userID: '={{ $json.id }}',
				options: { previewOnly: true, batchSize: 2 },
			},
			{ rows: [{ id: 'A' }, { id: 'B' }, { id: 'C' }] },
		);
		expect(output.map(({ json }) => [json.userID, json.body, json.batch])).toEqual([
			['A', { nv: [{ userID: 'A', user_attributes: {} }] }, { index: 0, size: 2 }],
			['B', { nv: [{ userID: 'B', user_attributes: {} }] }, { index: 0, size: 2 }],
			['C', { nv: [{ userID: 'C', user_attributes: {} }] }, { index: 1, size: 1 }],
		]);
		expect(sandbox().record).toEqual([]);
	});
});

const isBroadcast = ({ parameters }: Endpoint) =>
	(parameters.operation as string).startsWith('broadcast');
const broadcasts = byName(minimal.filter(isBroadcast));

describe('A run started by hand', () => {
	const byHand = async (parameters: INodeParameters) =>
		await run(sandbox(), parameters, { mode: 'manual' });

	it.each(broadcasts)('only shows %s, and says so', async (_, { parameters, body }) => {
		const { output, hints } = await byHand(parameters);

		expect(sandbox().record).toEqual([]);
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({ outcome: 'preview', body });
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/Nothing was sent.*When Run by Hand/s),
		);
	});
});
