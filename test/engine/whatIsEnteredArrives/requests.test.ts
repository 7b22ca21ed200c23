import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { type Endpoint, full, minimal, present } from '../support/endpoints';
import {
	accessToken,
	apiKey,
	brandId,
	freezeClock,
	onlyArrival,
	run,
	useSandbox,
} from '../support/service';

freezeClock(present);
const sandbox = useSandbox();

const byName = (endpoints: Endpoint[]) =>
	endpoints.map((endpoint) => [endpoint.name, endpoint] as const);

it('The list of endpoints has all operations that do not wait, with push on three platforms', () => {
	const operations = minimal.map(
		({ parameters }) => `${parameters.resource as string} ${parameters.operation as string}`,
	);
	const offered = new CustomerMessaging().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map(
				(one) => `${displayOptions?.show?.resource?.[0] as string} ${'value' in one && one.value}`,
			),
		)
		.filter((name) => !name.endsWith(' sendAndWait'));
	expect([...new Set(operations)].sort()).toEqual(offered.sort());
	expect(offered.length).toBeGreaterThan(13);
	expect(minimal).toHaveLength(offered.length + 3 * 2);
});

describe.each([
	['the least it needs', minimal],
	['every optional field', full],
])('With %s', (_, endpoints) => {
	it.each(byName(endpoints))(
		'%s sends exactly its request with the API key',
		async (__, endpoint) => {
			const report = await run(sandbox(), endpoint.parameters);

			const { method, host, path, body, headers, outcome, problems } = onlyArrival(sandbox());
			expect({ method, host, path, body }).toStrictEqual({
				method: 'POST',
				host: endpoint.host,
				path: endpoint.path,
				body: endpoint.body,
			});
			expect(headers).toMatchObject({
				'x-api-key': apiKey,
				'x-brand-id': brandId,
				accept: 'application/json',
				'content-type': 'application/json',
			});
			expect(headers.authorization).toBeUndefined();
			expect({ outcome, problems }).toEqual({ outcome: 'accepted', problems: [] });
			expect(report.error).toBeUndefined();
			expect(report.output).toHaveLength(1);
		},
	);

	it.each(byName(endpoints))(
		'%s sends the same with a partner token alone',
		async (__, endpoint) => {
			await run(sandbox(), { ...endpoint.parameters, authentication: 'partnerToken' });

			const { method, host, path, body, headers, outcome } = onlyArrival(sandbox());
			expect({ method, host, path, body }).toStrictEqual({
				method: 'POST',
				host: endpoint.host,
				path: endpoint.path,
				body: endpoint.body,
			});
			expect(headers).toMatchObject({
				authorization: `Bearer ${accessToken}`,
				accept: 'application/json',
				'content-type': 'application/json',
			});
			expect(headers).not.toHaveProperty('x-api-key');
			expect(headers).not.toHaveProperty('x-brand-id');
			expect(outcome).toBe('accepted');
		},
	);
});
