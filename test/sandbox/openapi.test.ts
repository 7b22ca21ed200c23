import fastify from 'fastify';
import { fromJSONSchema, type z } from 'zod4';

import { type Controls, controlRoutes } from '../../sandbox/control';
import description from '../../sandbox/openapi.json';
import { pageRoutes } from '../../sandbox/page';
import { brandHeaders, call, sandboxForTests } from './support/calls';

const methods = ['get', 'post', 'put', 'delete'] as const;
type Contents = Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
interface Operation {
	requestBody?: { content: Contents };
	responses: Record<string, { headers?: object; content?: Contents }>;
}

const { schemas, responses } = description.components;
/** The references of a part, which lead to where a JSON schema has its definitions. */
const asSchema = <T>(part: object) =>
	JSON.parse(
		JSON.stringify(part)
			.replace(
				/\{"\$ref":"#\/components\/responses\/(\w+)"\}/g,
				(_, name: keyof typeof responses) => JSON.stringify(responses[name]),
			)
			.replaceAll('#/components/schemas/', '#/$defs/'),
	) as T;
type Paths = Record<string, Partial<Record<(typeof methods)[number], Operation>>>;
const paths = asSchema<Paths>(description.paths);
const $defs = asSchema<Record<string, z.core.JSONSchema.JSONSchema>>(schemas);

/** Where a value differs from a schema. */
function differences(value: unknown, schema: object): string[] {
	const { error } = fromJSONSchema({ ...schema, $defs }).safeParse(value);
	return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const operations = Object.entries(paths).flatMap(([path, item]) =>
	methods.flatMap((method) => {
		const operation = item[method];
		return operation ? [{ path, method, operation }] : [];
	}),
);
const posted = operations.flatMap((one) => {
	const { schema = {}, examples = {} } =
		one.operation.requestBody?.content['application/json'] ?? {};
	return Object.entries(examples).map(([name, { value }]) => ({
		...{ ...one, name: `${one.method} ${one.path}: ${name}`, schema, body: value },
	}));
});

const held = sandboxForTests(() => ({ separateHosts: false }));

/** Calls the sandbox and returns how the response differs from its description. */
async function check(
	{ path, method, operation }: (typeof operations)[number],
	headers: Record<string, string>,
	body?: unknown,
): Promise<string[]> {
	const { record, url } = held.sandbox;
	// Numbers go on after a reset. Without an arrival, none has this one.
	const at = path.replace('{platform}', 'web').replace('{seq}', `${record[0]?.seq ?? 1_000_000}`);
	const query = path.endsWith('/users') ? '?id=C-1' : '';
	const answered = await call(url + at + query, { method: method.toUpperCase(), headers, body });
	expect(answered.status).toBe(200);
	const { headers: named = {}, content = {} } = operation.responses[200] ?? {};
	for (const name of Object.keys(named))
		expect(answered.headers).toHaveProperty(name.toLowerCase());
	const [type = ''] = (answered.headers['content-type'] ?? '').split(';');
	const value = type === 'application/json' ? answered.json : answered.text;
	const described = content[type];
	return described ? differences(value, described.schema) : [`${type} is not described`];
}

const json = { 'content-type': 'application/json' };

test('Every route of the sandbox is described, except the files of the page.', async () => {
	const server = fastify({ exposeHeadRoutes: false });
	const routes: string[] = [];
	server.addHook('onRoute', ({ method, url }) => {
		routes.push(...[method].flat().map((one) => `${one.toLowerCase()} ${url}`));
	});
	// None of the routes is called.
	server.register(controlRoutes({ gauges: () => [] } as unknown as Controls));
	server.register(pageRoutes({} as Parameters<typeof pageRoutes>[0]));
	await server.ready();
	await server.close();

	const ofPage = /favicon\.ico|inbox\.(js|css)$|\/\*$/;
	const described = operations
		.filter(({ path }) => !path.startsWith('/api/'))
		.map(({ path, method }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
	expect(described.sort()).toEqual(routes.filter((route) => !ofPage.test(route)).sort());
});

test.each(posted)('$name', async ({ schema, body, ...operation }) => {
	const isService = operation.path.startsWith('/api/');
	expect(differences(body, schema)).toEqual([]);
	expect(await check(operation, isService ? brandHeaders : json, body)).toEqual([]);
	if (isService) expect(held.sandbox.accepted()).toHaveLength(1);
});

test.each(
	operations.filter(({ operation, path }) => !operation.requestBody && !path.endsWith('/events')),
)(
	'After an email, a refused push and a fault, $method $path is answered as described',
	async (operation) => {
		const mail = posted.find(({ name }) => name.endsWith('sendMessage: email'));
		await held.send('sendMessage', mail?.body);
		await held.send('web/send', {});
		await held.send('web/send', 'no JSON', json);
		held.sandbox.faults.add({ kind: 'hang', match: { channel: 'sms' }, first: 1 });
		expect(await check(operation, {})).toEqual([]);
	},
);
