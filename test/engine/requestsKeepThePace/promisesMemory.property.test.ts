import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sized } from '../../propertyRuns';
import { pause } from '../support/clock';
import { startServer } from '../support/localServer';
import { idsOf, useNode } from '../support/node';
import { emailSend } from '../support/orders';
import { countsOf, createUsers, creations, idOf, push, rowsOf, toldBy } from '../support/sends';

// Up to a hundred thousand rows.
jest.setTimeout(1_800_000);

const node = useNode();
const many = sized(3_000, 100_000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMb(): number {
	collect();
	return process.memoryUsage().heapUsed / 1024 / 1024;
}

test('Many users are created in order, in bounded memory', async () => {
	node.sandbox.configure({ latencyMs: 20 });
	const rows = rowsOf(many);
	const before = heapMb();
	const grown = node.untilArrived(100).then(() => heapMb() - before);
	const { output } = await node.run(createUsers({ batchSize: many / 100 }), { rows });
	expect(output.map(({ json }) => json.userID)).toEqual(idsOf(rows));
	expect(node.sandbox.record).toHaveLength(100);
	expect(creations(node.sandbox.record).size).toBe(many);
	expect(await grown).toBeLessThan((3 * many) / 1_000);
});

const ends = ['is stopped', 'fails in an outage', 'succeeds', 'fails at its end', 'is refused'];
const tried = ends.slice(0, sized(2, ends.length));
test.each(tried)('Once its output is gone, nothing of a run is held that %s', async (how) => {
	const rows = 200;
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
			...{ rows: large, account: server.urls, onError: 'continueRegularOutput' },
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
	for (let tries = 0; heapMb() - before >= 3 && tries < 20; tries++) await pause(500);
	expect(heapMb() - before).toBeLessThan(3);
});

test('The texts of many long emails are not kept until they are sent', async () => {
	const emails = sized(200, 1_000);
	// A flat text, so that reading it takes no memory.
	const contentOf = (id: string) => Buffer.alloc(100_000, id).toString();
	const rows = rowsOf(emails).map(({ id }) => ({ id, content: contentOf(id) }));
	const before = heapMb();
	const toUser = { recipientBy: 'user_id', user_id: '={{ $json.id }}' };
	const content = '=<p>Dear customer</p>{{ $json.content }}';
	const parameters = { ...emailSend, ...toUser, content, options: { concurrency: 10 } };
	let grown = NaN;
	let stop = () => {};
	// Ten requests are under way, which no answer ends.
	const service = await startServer(() => {
		if (service.requests < 10) return;
		grown = heapMb() - before;
		stop();
	});
	const report = await node.run(parameters, {
		...{ rows, account: service.urls, onError: 'continueRegularOutput' },
		started: (press) => (stop = press),
	});
	expect(service.requests).toBe(10);
	expect(countsOf(toldBy(report))).toEqual({ unknown: 10, notSent: emails - 10 });
	await service.close();
	// All of them would take 100 kB each.
	expect(grown).toBeLessThan(emails / 20);
});
