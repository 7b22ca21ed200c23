import type { FastifyInstance } from 'fastify';

/** What the sandbox says of itself; static pages and events for a browser belong here too. */
export function pageRoutes(introduction: () => string) {
	return async (server: FastifyInstance): Promise<void> => {
		server.get('/', (_request, reply) => {
			reply.type('text/plain; charset=utf-8').send(introduction());
		});
	};
}
