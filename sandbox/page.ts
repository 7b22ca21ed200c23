import type { FastifyInstance } from 'fastify';
import { z, ZodError } from 'zod';
import type { Arrivals } from './arrivals';
import { shown } from './control';
import { pageBundle } from './inbox/bundle';
import { emailDocument } from './inbox/email';
import { emailHeaders, pageHeaders } from './inbox/policies';
import { follow, type State } from './inbox/stream';
import type { Access } from './introduction';
import { isObject } from './terms';

interface Shown {
	arrivals: Arrivals;
	state: () => State;
	introduction: () => string;
	access: () => Access;
}

const which = z.object({ seq: z.coerce.number().int().min(1) });

/** The inbox page and the data that it requests. Other programs get a description in plain text. */
export function pageRoutes({ arrivals, state, introduction, access }: Shown) {
	return async (server: FastifyInstance): Promise<void> => {
		server.setErrorHandler((error, _request, reply) => {
			const isMalformed = error instanceof ZodError;
			reply.code(isMalformed ? 400 : 500).type('text/plain; charset=utf-8');
			reply.send(isMalformed ? 'No such arrival' : `The page could not be made: ${String(error)}`);
		});

		server.get('/', async (request, reply) => {
			reply.header('vary', 'accept');
			if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
				return reply.type('text/plain; charset=utf-8').send(introduction());
			}
			const { 'index.html': page } = await pageBundle();
			return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);
		});
		server.get('/favicon.ico', (_request, reply) => reply.code(204).send());
		server.get('/sandbox/inbox/inbox.js', async (_request, reply) => {
			const { 'inbox.js': script } = await pageBundle();
			return reply.headers(pageHeaders).type('text/javascript; charset=utf-8').send(script);
		});
		server.get('/sandbox/inbox/inbox.css', async (_request, reply) => {
			const { 'inbox.css': style } = await pageBundle();
			return reply.headers(pageHeaders).type('text/css; charset=utf-8').send(style);
		});

		server.get('/sandbox/inbox/events', (_request, reply) => {
			reply.hijack();
			follow(arrivals, state, reply.raw);
		});
		server.get('/sandbox/inbox/access', (_request, reply) => {
			reply.headers(pageHeaders);
			return access();
		});
		server.get('/sandbox/inbox/arrivals/:seq', (request, reply) => {
			const arrival = arrivals.find(which.parse(request.params).seq);
			reply.headers(pageHeaders);
			if (!arrival) return reply.code(404).send({ error: 'No longer in the record' });
			// The page reads the body as it was sent.
			return { ...shown(arrival), body: undefined };
		});
		server.get('/sandbox/inbox/email/:seq', (request, reply) => {
			const body = arrivals.find(which.parse(request.params).seq)?.body;
			const content = isObject(body) ? body.content : undefined;
			reply.headers(emailHeaders).type('text/html; charset=utf-8');
			if (typeof content !== 'string')
				return reply.code(404).send(emailDocument('No longer in the record'));
			return reply.send(emailDocument(content));
		});
	};
}
