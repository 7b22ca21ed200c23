import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Row } from '../../scripts/n8n/workflows';

/** Another system that a workflow gets its rows from. */
export interface RowSource {
	url: string;
	/** While it is down, requests to it fail. */
	isDown: boolean;
	rows: Row[];
	close(): Promise<void>;
}

/** Starts one on 127.0.0.1, which is down. */
export async function startRowSource(rows: Row[]): Promise<RowSource> {
	const server = createServer((_request, response) => {
		response.writeHead(source.isDown ? 500 : 200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify(source.isDown ? { message: 'down' } : { body: { rows: source.rows } }),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const source: RowSource = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		isDown: true,
		rows,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return source;
}
