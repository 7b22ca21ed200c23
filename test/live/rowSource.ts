import { startServer } from '../engine/support/localServer';

/** Another system that a workflow gets its rows from. It is down at first, and requests to it fail. */
export async function startRowSource(rows: readonly object[]) {
	const source = { url: '', isDown: true };
	const server = await startServer((response) => {
		const answer = source.isDown ? { message: 'down' } : { body: { rows } };
		response.writeHead(source.isDown ? 500 : 200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
	source.url = `${server.url}/`;
	return source;
}
