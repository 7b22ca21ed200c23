import { startServer } from '../engine/support/localServer';

/** Another system that a workflow gets its rows from. While it is down, requests to it fail. */
interface RowSource {
	url: string;
	isDown: boolean;
	rows: readonly object[];
}

/** Has one, which is down, while the work goes on. */
export async function withRowSource(
	rows: readonly object[],
	work: (source: RowSource) => Promise<void>,
): Promise<void> {
	const server = await startServer((response) => {
		const answer = source.isDown ? { message: 'down' } : { body: { rows: source.rows } };
		response.writeHead(source.isDown ? 500 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
	const source: RowSource = { url: `${server.url}/`, isDown: true, rows };
	try {
		await work(source);
	} finally {
		await server.close();
	}
}
