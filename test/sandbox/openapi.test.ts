import fastify from 'fastify';
import { fromJSONSchema } from 'zod4';

import { Arrivals } from '../../sandbox/arrivals';
import { controlRoutes } from '../../sandbox/control';
import { Faults } from '../../sandbox/faults';
import description from '../../sandbox/openapi.json';
import { pageRoutes } from '../../sandbox/page';
import { defaultSettings, shownSettings } from '../../sandbox/settings';
import { brandHeaders, call, sandboxForTests } from './support/calls';

interface Content {
	schema: object;
	examples?: Record<string, { value: unknown }>;
}
interface Response {
	$ref?: string;
	headers?: Record<string, unknown>;
	content?: Record<string, Content>;
}
interface Operation {
	requestBody?: { content: Record<string, Content> };
	responses: Record<string, Response>;
}
type Methods = 'get' | 'post' | 'put' | 'delete';
type Path = Partial<Record<Methods, Operation>>;

const paths = description.paths as unknown as Record<string, Path>;
const responses = description.components.responses as unknown as Record<string, Response>;

/** Where a value differs from a schema. */
function differences(value: unknown, schema: object): string[] {
	const whole = JSON.stringify({ ...schema, $defs: description.components.schemas });
	const inPlace = JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as object;
	const { error } = fromJSONSchema(inPlace).safeParse(value);
	return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const methods: Methods[] = ['get', 'post', 'put', 'delete'];
const operations = Object.entries(paths).flatMap(([path, item]) =>
	methods.flatMap((method) => {
		const operation = item[method];
		return operation ? [{ path, method, operation }] : [];
	}),
);
const posted = operations.flatMap(({ path, method, operation }) => {
	const examples = operation.requestBody?.content['application/json']?.examples ?? {};
	return Object.entries(examples).map(
		([name, { value }]) => [`${method} ${path}: ${name}`, path, method, value] as const,
	);
});

const held = sandboxForTests(() => ({ separateHosts: false }));

/** Calls the sandbox and returns how the response differs from its description. */
async function check(
	path: string,
	method: Methods,
	headers: Record<string, string>,
	body?: unknown,
	query = '',
): Promise<{ status: number; wrong: string[] }> {
	const { sandbox } = held;
	// Numbers go on after a reset. Without an arrival, none has this one.
	const seq = sandbox.record[0]?.seq ?? 1_000_000;
	const url = sandbox.url + path.replace('{platform}', 'web').replace('{seq}', `${seq}`) + query;
	const answered = await call(url, { method: method.toUpperCase(), headers, body });
	const described = paths[path]?.[method]?.responses[answered.status];
	const name = described?.$ref?.replace('#/components/responses/', '');
	const response = name === undefined ? described : responses[name];
	const [type = ''] = (answered.headers['content-type'] ?? '').split(';');
	const content = response?.content?.[type];
	const missing = Object.keys(response?.headers ?? {}).filter(
		(header) => answered.headers[header.toLowerCase()] === undefined,
	);
	const wrong = [
		...missing.map((header) => `${header} is missing`),
		...(content
			? differences(type === 'application/json' ? answered.json : answered.text, content.schema)
			: [`${answered.status} with ${type} is not described`]),
	];
	return { status: answered.status, wrong };
}

const json = { 'content-type': 'application/json' };

test('Every route of the sandbox is described, except the files of the page.', async () => {
	const server = fastify({ exposeHeadRoutes: false });
	const routes: string[] = [];
	server.addHook('onRoute', ({ method, url }) => {
		for (const one of [method].flat()) routes.push(`${one.toLowerCase()} ${url}`);
	});
	const arrivals = new Arrivals({ maxRecords: 1, maxRecordBytes: 1 });
	const settings = { current: defaultSettings };
	const changes = { lastNumber: 0 };
	server.register(
		controlRoutes({
			...{ arrivals, faults: new Faults(), settings, changes },
			...{ gauges: () => [], reset: () => undefined, sendToExample: async () => undefined },
		}),
	);
	const urls = { baseUrl: '', pushUrl: '', mailUrl: '' };
	const noAccess = { brands: [], tokens: [], urls };
	const state = () => ({
		...{ gauges: [], faults: [], lastChange: 0 },
		settings: shownSettings(defaultSettings),
	});
	server.register(pageRoutes({ arrivals, state, introduction: () => '', access: () => noAccess }));
	await server.ready();
	await server.close();

	const ofPage = /favicon\.ico|inbox\.(js|css)$|\/\*$/;
	const described = operations
		.filter(({ path }) => !path.startsWith('/api/'))
		.map(({ path, method }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
	expect(described.sort()).toEqual(routes.filter((route) => !ofPage.test(route)).sort());
});

test.each(posted)('%s', async (_, path, method, body) => {
	const isService = path.startsWith('/api/');
	const schema = paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {};
	expect(differences(body, schema)).toEqual([]);
	const headers = isService ? brandHeaders : json;
	expect(await check(path, method, headers, body)).toEqual({ status: 200, wrong: [] });
	if (isService) expect(held.sandbox.accepted()).toHaveLength(1);
});

describe('After an email was accepted, a push refused and a fault added', () => {
	beforeEach(async () => {
		const { sandbox } = held;
		const [, path = '', , body] =
			posted.find(([name]) => name.endsWith('sendMessage: email')) ?? [];
		await call(sandbox.url + path, { body });
		await call(`${sandbox.url}/api/v1/web/send`, { body: {} });
		await call(`${sandbox.url}/api/v1/web/send`, { headers: json, body: 'no JSON' });
		sandbox.faults.add({ kind: 'hang', match: { channel: 'sms' }, first: 1 });
	});

	test.each(
		operations
			.filter(({ operation, path }) => !operation.requestBody && !path.endsWith('/events'))
			.map(({ path, method }) => [method, path] as const),
	)('%s %s is answered as described', async (method, path) => {
		const query = path.endsWith('/users') ? '?id=C-1' : '';
		expect(await check(path, method, {}, undefined, query)).toEqual({ status: 200, wrong: [] });
	});
});
