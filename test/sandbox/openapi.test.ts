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
const paths = JSON.parse(
	JSON.stringify(description.paths)
		.replace(/\{"\$ref":"#\/components\/responses\/(\w+)"\}/g, (_, name: keyof typeof responses) =>
			JSON.stringify(responses[name]),
		)
		.replaceAll('#/components/schemas/', '#/$defs/'),
) as Record<string, Partial<Record<(typeof methods)[number], Operation>>>;
const $defs = JSON.parse(
	JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/'),
) as Record<string, z.core.JSONSchema.JSONSchema>;

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
const posted = operations.flatMap(({ path, method, operation }) => {
	const { schema = {}, examples = {} } = operation.requestBody?.content['application/json'] ?? {};
	return Object.entries(examples).map(([name, { value }]) => ({
		...{ name: `${method} ${path}: ${name}`, path, method, operation, schema, body: value },
	}));
});

const held = sandboxForTests(() => ({ separateHosts: false }));

/** Calls the sandbox and returns how the response differs from its description. */
async function check(
	{ path, method, operation }: (typeof operations)[number],
	headers: Record<string, string>,
	body?: unknown,
): Promise<string[]> {
	const { sandbox } = held;
	// Numbers go on after a reset. Without an arrival, none has this one.
	const seq = sandbox.record[0]?.seq ?? 1_000_000;
	const url = sandbox.url + path.replace('{platform}', 'web').replace('{seq}', `${seq}`);
	const answered = await call(url + (path.endsWith('/users') ? '?id=C-1' : ''), {
		...{ method: method.toUpperCase(), headers, body },
	});
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
		for (const one of [method].flat()) routes.push(`${one.toLowerCase()} ${url}`);
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
		const { sandbox } = held;
		const mail = posted.find(({ name }) => name.endsWith('sendMessage: email'));
		await call(`${sandbox.url}/api/v1/sendMessage`, { body: mail?.body });
		await call(`${sandbox.url}/api/v1/web/send`, { body: {} });
		await call(`${sandbox.url}/api/v1/web/send`, { headers: json, body: 'no JSON' });
		sandbox.faults.add({ kind: 'hang', match: { channel: 'sms' }, first: 1 });
		expect(await check(operation, {})).toEqual([]);
	},
);
