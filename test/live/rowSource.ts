import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another system that a workflow gets its rows from. */
interface RowSource {
	url: string;
	/** While it is down, requests to it fail. */
	isDown: boolean;
	rows: readonly object[];
}

/** Has one on 127.0.0.1, which is down, while the work goes on. */
export async function withRowSource<T>(
	rows: readonly object[],
	work: (source: RowSource) => Promise<T>,
): Promise<T> {
	const source: RowSource = { url: '', isDown: true, rows };
	const server = createServer((_request, response) => {
		const answer = source.isDown ? { message: 'down' } : { body: { rows: source.rows } };
		response.writeHead(source.isDown ? 500 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	try {
		return await work(source);
	} finally {
		server.closeAllConnections();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	}
}
