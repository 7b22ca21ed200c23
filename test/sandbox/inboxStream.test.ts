import { get } from 'node:http';
import { startSandbox, type Sandbox } from '../../sandbox';
import type { Row } from '../../sandbox/inbox/row';
import type { State } from '../../sandbox/inbox/stream';
import { call, webPush } from './support/calls';

interface Told {
	id: string | undefined;
	event: string;
	data: { rows?: Row[]; total?: number; isLast?: boolean; resumed?: boolean } & Partial<State>;
}

let sandbox: Sandbox;
const listeners: Array<() => void> = [];
beforeEach(async () => {
	sandbox = await startSandbox({ separateHosts: false, limits: { push: 100_000 } });
});
afterEach(async () => {
	for (const stop of listeners.splice(0)) stop();
	await sandbox.close();
});

/** Listens until it is stopped, and returns the events so far. */
function listen(lastEventId?: string): { told: Told[]; stop: () => void } {
	const told: Told[] = [];
	let text = '';
	const headers: Record<string, string> =
		lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
	const request = get(
		`${sandbox.url}/sandbox/inbox/events`,
		{ headers, agent: false },
		(response) => {
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				const events = (text + chunk).split('\n\n');
				text = events.pop() ?? '';
				told.push(...events.map(toTold));
			});
			response.on('error', () => undefined);
		},
	);
	request.on('error', () => undefined);
	const stop = () => void request.destroy();
	listeners.push(stop);
	return { told, stop };
}

function toTold(event: string): Told {
	const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
	return {
		id: field('id'),
		event: field('event') ?? '',
		data: JSON.parse(field('data') ?? '{}') as Told['data'],
	};
}

async function until(check: () => boolean): Promise<void> {
	while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const push = async (title: string) =>
	await call(`${sandbox.url}/api/v1/web/send`, { body: { ...webPush, title } });
const rowsIn = (told: Told[]) => told.flatMap(({ data }) => data.rows ?? []);
const idIn = (told: Told[]) => told.flatMap(({ id }) => id ?? []).at(-1);

it('The stream of the inbox sends earlier and new arrivals', async () => {
	await push('before');
	const { told } = listen();
	await until(() => rowsIn(told).length === 1);
	await push('now');
	await until(() => rowsIn(told).length === 2);
	expect(told[0]).toMatchObject({ event: 'hello', data: { resumed: false, total: 1 } });
	expect(rowsIn(told).map(({ seq, title }) => [seq, title])).toEqual([
		[1, 'before'],
		[2, 'now'],
	]);
	expect(told.filter(({ event }) => event === 'rows').map(({ data }) => data.total)).toEqual([
		1, 2,
	]);
});

it('The stream of the inbox continues where a connection ended', async () => {
	await push('before');
	const first = listen();
	await until(() => rowsIn(first.told).length === 1);
	first.stop();
	await push('meanwhile');
	const { told } = listen(idIn(first.told));
	await until(() => rowsIn(told).length === 1);
	expect(told[0]?.data.resumed).toBe(true);
	expect(rowsIn(told).map(({ title }) => title)).toEqual(['meanwhile']);
});

it('The stream of the inbox starts over if the record was emptied or belongs to another sandbox', async () => {
	await push('old');
	const first = listen();
	await until(() => idIn(first.told) !== undefined);
	first.stop();
	sandbox.reset();
	await push('new');
	for (const id of [idIn(first.told), 'another.0.1', 'nonsense', '']) {
		const { told } = listen(id);
		await until(() => rowsIn(told).length === 1);
		expect(told[0]?.data.resumed).toBe(false);
		expect(rowsIn(told)[0]?.title).toBe('new');
	}
});
