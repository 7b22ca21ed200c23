import { promiseHooks, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sized } from '../../propertyRuns';
import type { Order } from '../support/engine';
import { startServer } from '../support/localServer';
import { accountOf, useNode } from '../support/node';
import { emailSend } from '../support/orders';
import { countsOf, createUsers, creations, idOf, push, rowsOf, toldBy } from '../support/sends';

// Up to a hundred thousand rows.
jest.setTimeout(1_800_000);

const node = useNode();
const many = sized(10_000, 100_000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMb(): number {
	collect();
	return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Counts the promises that were created and are not settled. */
function countPending() {
	const counted = { pending: 0, stop: () => {} };
	// Promises of earlier work settle too.
	const begun = new WeakSet<object>();
	// Node's types do not say what these return.
	const ends = [
		promiseHooks.onInit((promise) => {
			begun.add(promise);
			counted.pending++;
		}),
		promiseHooks.onSettled((promise) => {
			if (begun.delete(promise)) counted.pending--;
		}),
	] as Array<() => void>;
	counted.stop = () => ends.forEach((end) => end());
	return counted;
}

test('Many users are created in order, in bounded memory', async () => {
	const { sandbox } = node;
	sandbox.configure({ latencyMs: 20 });
	const rows = rowsOf(many);
	const before = heapMb();
	let grown = NaN;
	sandbox.subscribe(() => {
		if (sandbox.record.length === 100) grown = heapMb() - before;
	});
	const { output } = await node.run(createUsers({ batchSize: many / 100 }), { rows });

	expect(output.map(({ json }) => json.userID)).toEqual(rows.map(({ id }) => id));
	expect(sandbox.record).toHaveLength(100);
	expect(creations(sandbox.record).size).toBe(many);
	expect(grown).toBeLessThan((3 * many) / 1_000);
});

test.each(['succeeds', 'fails at its end', 'is refused', 'fails in an outage', 'is stopped'])(
	'Once its output is gone, nothing of a run is held that %s',
	async (how) => {
		const rows = 300;
		let stop = () => {};
		const server = await startServer((response, _, body) => {
			const isLast = how === 'fails at its end' && body.includes(idOf(rows - 1));
			if (how === 'is refused') response.statusCode = 401;
			if (how === 'fails in an outage' || isLast) response.statusCode = 500;
			if (how === 'is stopped') stop();
			else response.end('{}');
		});
		const send = async (count: number) => {
			const large = rowsOf(count).map(({ id }) => ({ id, text: Buffer.alloc(30_000).toString() }));
			await node.run(push({ maxWait: 0.02 }), {
				rows: large,
				credential: accountOf(server),
				onError: 'continueRegularOutput',
				started: (press) => (stop = press),
			});
			server.received.length = 0;
			// It holds the run.
			stop = () => {};
		};
		await send(1);
		const before = heapMb();
		await send(rows);
		await server.close();
		// n8n's sleeps cannot be ended, so what a sleep holds is held for some seconds.
		for (let tries = 0; heapMb() - before >= 3 && tries < 20; tries++)
			await new Promise((resolve) => setTimeout(resolve, 500));
		expect(heapMb() - before).toBeLessThan(3);
	},
);

/** What is measured once ten requests are under way, which no answer ends, and how the run ends when it is stopped. */
async function whileUnderWay<Measured>(
	order: Pick<Order, 'parameters' | 'rows'>,
	measure: () => Measured,
) {
	let allUnderWay = () => {};
	const underWay = new Promise<void>((resolve) => (allUnderWay = resolve));
	const service = await startServer(() => {
		if (service.requests === 10) allUnderWay();
	});
	let stop = () => {};
	const running = node.run(order.parameters, {
		...order,
		credential: accountOf(service),
		onError: 'continueRegularOutput',
		started: (press) => (stop = press),
	});
	await underWay;
	const measured = measure();
	stop();
	const counts = countsOf(toldBy(await running));
	expect(service.requests).toBe(10);
	expect(counts).toEqual({ unknown: 10, notSent: (order.rows?.length ?? 0) - 10 });
	await service.close();
	return measured;
}

test('Many sends do not become as many promises', async () => {
	const options = { concurrency: 10, sendDuplicates: true, maxMessages: many };
	const promises = countPending();
	const pending = await whileUnderWay(
		{ parameters: { ...push(options), user_id: 'someone' }, rows: rowsOf(many) },
		() => {
			promises.stop();
			return promises.pending;
		},
	);
	expect(pending).toBeGreaterThan(10);
	expect(pending).toBeLessThan(1_000);
});

test('The texts of many long emails are not kept until they are sent', async () => {
	const emails = sized(400, 1_000);
	// A flat text, so that reading it takes no memory.
	const rows = rowsOf(emails).map(({ id }) => ({
		id,
		content: Buffer.alloc(100_000, id).toString(),
	}));
	const before = heapMb();
	const parameters = {
		...emailSend,
		recipientBy: 'user_id',
		user_id: '={{ $json.id }}',
		content: '=<p>Dear customer</p>{{ $json.content }}',
		options: { concurrency: 10 },
	};
	const grown = (await whileUnderWay({ parameters, rows }, heapMb)) - before;
	// All of them would take 100 kB each.
	expect(grown).toBeLessThan(emails / 20);
});
