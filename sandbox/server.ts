import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isFromOtherPage, refuseOtherHosts } from './guard';
import type { Reaction, Service } from './service';
import { maxReadBytes, type Settings } from './settings';
import { maxDelayMs, type HostRole } from './terms';

export interface Surroundings {
	settings: () => Settings;
	/** The service's own clock, skew included. */
	serviceNowMs: () => number;
	/** From 0 up to 1. */
	random: () => number;
}

/** A server for one of the spec's hosts, or for all of them. */
export function createServer(
	host: HostRole,
	service: Service,
	surroundings: Surroundings,
): FastifyInstance {
	const handle = (request: FastifyRequest, reply: FastifyReply, isTooLarge = false): void => {
		if (isFromOtherPage(request)) {
			reply.code(403).send({ error: 'A page of another site must not send messages' });
			return;
		}
		const reaction = service.handle({
			host,
			method: request.method,
			path: request.raw.url ?? '',
			headers: request.headers,
			rawBody: typeof request.body === 'string' ? request.body : '',
			isTooLarge,
		});
		react(reply, reaction, surroundings);
	};

	const server = fastify({
		forceCloseConnections: true,
		bodyLimit: maxReadBytes,
		// A path that cannot be decoded is unknown to the service.
		frameworkErrors: (_error, request, reply) =>
			refuseOtherHosts(request, reply, () => handle(request, reply)),
	});

	// The service checks content types itself and answers 400 to a wrong one.
	server.removeAllContentTypeParsers();
	server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);

	server.addHook('onRequest', refuseOtherHosts);
	server.post('*', (request, reply) => handle(request, reply));
	server.setNotFoundHandler((request, reply) => handle(request, reply));
	server.setErrorHandler((error: Error & { code?: string }, request, reply) => {
		// The body could not be read: it is too large, or its content type is invalid.
		if (error.code?.startsWith('FST_ERR_CTP_')) {
			const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
			afterBody(request, () => handle(request, reply, isTooLarge));
			return;
		}
		// The client disconnected before its request was complete, so the service never received it.
		if (!request.raw.complete) reply.hijack();
		else reply.code(500).send({ error: `The sandbox itself failed: ${error.message}` });
	});
	return server;
}

const maxSkippedBytes = 100 * 1024 * 1024;

/** Skips the rest of the body: many clients do not read the response while they are still sending. */
function afterBody(request: FastifyRequest, done: () => void): void {
	if (request.raw.readableEnded) return done();
	let skippedBytes = 0;
	request.raw.on('data', (chunk: Buffer) => {
		skippedBytes += chunk.length;
		if (skippedBytes > maxSkippedBytes) request.raw.destroy();
	});
	request.raw.once('end', done);
	request.raw.resume();
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
		if (reaction.location !== undefined) reply.header('location', reaction.location);
		reply.send(reaction.body);
	};

	const waitMs = Math.min(maxDelayMs, reaction.delayMs + latency(latencyMs, surroundings.random));
	if (waitMs > 0) setTimeout(send, waitMs).unref();
	else send();
}

function latency(latencyMs: Settings['latencyMs'], random: () => number): number {
	if (typeof latencyMs === 'number') return latencyMs;
	const [least, most] = latencyMs;
	return least + random() * (most - least);
}
