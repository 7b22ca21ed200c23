import type { FastifyInstance } from 'fastify';
import { z, ZodError } from 'zod';
import type { Arrival, Arrivals } from './arrivals';
import { faultSchema, type Faults } from './faults';
import { refuseOtherOrigins } from './guard';
import type { Gauge } from './limiter';
import { maskHeaders } from './masking';
import { changed, shownSettings, type Settings } from './settings';
import { apis } from './terms';

export interface Controls {
	arrivals: Arrivals;
	faults: Faults;
	settings: { current: Settings };
	gauges: () => Gauge[];
	reset: () => void;
	/** Posts to an example in n8n, as a CRM or a shop would. */
	sendToExample: (example: string, body: object) => Promise<void>;
}

const recordQuery = z
	.object({
		since: z.coerce.number().int().min(0).optional(),
		channel: z.enum(apis).optional(),
		outcome: z.string().optional(),
		limit: z.coerce.number().int().min(1).default(1000),
	})
	.strict();

const exampleParams = z.object({ example: z.string() });
const exampleBody = z.record(z.unknown());

const faultQuery = z.object({ id: z.coerce.number().int().optional() }).strict();

/** The sandbox's own HTTP interface, in addition to that of the service. */
export function controlRoutes(controls: Controls) {
	const { arrivals, faults, settings, gauges, reset, sendToExample } = controls;
	return async (server: FastifyInstance): Promise<void> => {
		server.addHook('onRequest', refuseOtherOrigins);
		server.addContentTypeParser(
			'application/json',
			{ parseAs: 'string' },
			server.getDefaultJsonParser('error', 'error'),
		);
		server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
			const isZod = error instanceof ZodError;
			reply.code(isZod ? 400 : (error.statusCode ?? 500));
			reply.send({ error: isZod ? error.issues : error.message });
		});

		server.get('/sandbox/record', (request) => {
			const { since, limit, channel, outcome } = recordQuery.parse(request.query);
			const wanted = arrivals
				.since(since ?? 0)
				.filter(
					(arrival) =>
						(channel === undefined || arrival.channel === channel) &&
						(outcome === undefined || arrival.outcome === outcome),
				);
			// A client that passes `since` wants the next ones, any other client the newest.
			const page =
				since === undefined
					? upToMaxChars(wanted.slice(-limit).reverse()).reverse()
					: upToMaxChars(wanted.slice(0, limit));
			return { dropped: arrivals.dropped, arrivals: page.map(shown) };
		});
		server.delete('/sandbox/record', () => {
			arrivals.clear();
			return { status: 'ok' };
		});

		server.get('/sandbox/faults', () => faults.list());
		server.post('/sandbox/faults', (request) => ({
			id: faults.add(faultSchema.parse(request.body)),
		}));
		server.delete('/sandbox/faults', (request, reply) => {
			const { id } = faultQuery.parse(request.query);
			if (id === undefined) faults.clear();
			else if (!faults.remove(id)) return reply.code(404).send({ error: 'No such fault' });
			return { status: 'ok' };
		});

		server.get('/sandbox/settings', () => shownSettings(settings.current));
		server.put('/sandbox/settings', (request) => {
			settings.current = changed(settings.current, request.body);
			return shownSettings(settings.current);
		});

		server.post('/sandbox/examples/:example', async (request) => {
			const { example } = exampleParams.parse(request.params);
			await sendToExample(example, exampleBody.parse(request.body));
			return { status: 'ok' };
		});

		// Browsers send OPTIONS before a page of another site may change something. It is not a message.
		server.all('/sandbox/*', (_request, reply) =>
			reply.code(404).send({ error: 'The sandbox has nothing there' }),
		);

		server.get('/sandbox/gauges', gauges);
		server.post('/sandbox/reset', () => {
			reset();
			return { status: 'ok' };
		});
	};
}

/** For all bodies in one response. The sandbox answers nothing else while it writes them. */
const maxChars = 4 * 1024 * 1024;

/** The first of them, at least one. */
function upToMaxChars(wanted: Arrival[]): Arrival[] {
	let chars = 0;
	const end = wanted.findIndex(({ rawBody }) => (chars += rawBody.length) > maxChars);
	return end < 0 ? wanted : wanted.slice(0, Math.max(1, end));
}

/** An arrival without secrets, which can be shown to others. */
export function shown(arrival: Arrival): Arrival {
	return { ...arrival, headers: maskHeaders(arrival.headers) };
}
