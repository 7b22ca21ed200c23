import type { FastifyReply, FastifyRequest } from 'fastify';

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** A page of another site may resolve its own name to this machine (DNS rebinding). Such requests are refused. */
export function refuseOtherHosts(
	request: FastifyRequest,
	reply: FastifyReply,
	done: () => void,
): void {
	if (loopback.test(request.headers.host ?? '')) return done();
	reply.code(421).send({ error: 'The sandbox answers to 127.0.0.1 and localhost only' });
}

/** A page of another site may send requests to this machine. They must not change anything. */
export function refuseOtherOrigins(
	request: FastifyRequest,
	reply: FastifyReply,
	done: () => void,
): void {
	const isReading = request.method === 'GET' || request.method === 'HEAD';
	if (isReading || !hasOtherOrigin(request)) return done();
	reply.code(403).send({ error: 'Only pages of the sandbox itself may change it' });
}

/** Whether a browser sent the request for a page of another site. Programs such as n8n send neither header. */
export function isFromOtherPage(request: FastifyRequest): boolean {
	const site = String(request.headers['sec-fetch-site'] ?? 'none');
	return hasOtherOrigin(request) || !['none', 'same-origin'].includes(site);
}

function hasOtherOrigin({ headers: { origin, host } }: FastifyRequest): boolean {
	return origin !== undefined && origin !== `http://${host}`;
}
