import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { refuseOtherHosts } from './guard';
import type { Reaction, Service } from './service';
import type { Settings } from './settings';
import type { HostRole } from './terms';

export interface Surroundings {
	settings: () => Settings;
	/** The service's own clock, skew included. */
	serviceNowMs: () => number;
	/** From 0 up to 1. */
	random: () => number;
}

const maxBodyBytes = 32 * 1024 * 1024;

/** One port, playing one of the spec's hosts or all of them. */
export function createServer(
	host: HostRole,
	service: Service,
	surroundings: Surroundings,
): FastifyInstance {
	const handle = (request: FastifyRequest, reply: FastifyReply) => {
		const reaction = service.handle({
			host,
			method: request.method,
			path: request.raw.url ?? '',
			headers: request.headers,
			rawBody: typeof request.body === 'string' ? request.body : '',
		});
		react(reply, reaction, surroundings);
	};

	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: maxBodyBytes,
		// A path that cannot be decoded is one more path that is none of the service's.
		frameworkErrors: (_error, request, reply) =>
			refuseOtherHosts(request, reply, () => handle(request, reply)),
	});

	// The service judges content types itself: a wrong one is an answer 400 of its own.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);

	server.addHook('onRequest', refuseOtherHosts);
	server.post('*', handle);
	server.setNotFoundHandler(handle);
	// A body that could not be read: the service answers as to an empty one.
	server.setErrorHandler((_error, request, reply) => handle(request, reply));
	return server;
}

function react(reply: FastifyReply, reaction: Reaction, surroundings: Surroundings): void {
	if (reaction === 'hang' || reaction === 'reset') {
		reply.hijack();
		if (reaction === 'reset') reply.raw.socket?.resetAndDestroy();
		return;
	}

	const { sendRateLimitHeader, latencyMs } = surroundings.settings();
	const send = () => {
		reply.code(reaction.status).header('content-type', reaction.contentType);
		reply.header('date', new Date(surroundings.serviceNowMs()).toUTCString());
		if (sendRateLimitHeader) reply.header('x-ratelimit-remaining', reaction.remaining);
		reply.send(reaction.body);
	};

	const waitMs = reaction.delayMs + latency(latencyMs, surroundings.random);
	if (waitMs > 0) setTimeout(send, waitMs).unref();
	else send();
}

function latency(latencyMs: Settings['latencyMs'], random: () => number): number {
	if (typeof latencyMs === 'number') return latencyMs;
	const [least, most] = latencyMs;
	return least + random() * (most - least);
}
