import type { FastifyInstance } from 'fastify';
import { Arrivals, type Arrival, type Bounds } from './arrivals';
import { controlRoutes } from './control';
import { sendToExample } from './examples';
import { Faults } from './faults';
import { Identities, testCredentials, type Credentials } from './identities';
import { type Access, introduction, type Urls } from './introduction';
import { Limiter, type Gauge } from './limiter';
import { pageRoutes } from './page';
import { seededRandom } from './random';
import { Routes } from './routes';
import { createServer } from './server';
import { Service } from './service';
import { changed, defaultSettings, type Settings, type SettingsPatch } from './settings';
import type { Api, HostRole } from './terms';

export type { Arrival, Outcome } from './arrivals';
export type { Fault, ListedFault } from './faults';
export { testCredentials, testSegments, type Credentials } from './identities';
export type { Gauge, Limits } from './limiter';
export type { Settings, SettingsPatch } from './settings';
export type { Api, Channel, HostRole, Platform, Problem } from './terms';
export type { Window } from './windowLog';

export interface SandboxOptions extends SettingsPatch, Partial<Bounds> {
	/** The port of the address for all hosts. By default 0, which selects any free port. */
	port?: number;
	/** Whether each host also has its own port: the three ports after `port`. True by default. */
	separateHosts?: boolean;
	/** Replaces the test credentials. */
	credentials?: Partial<Credentials>;
	/** The address of the n8n that uses the sandbox. The inbox leads to it and sends it sample rows. */
	editor?: string;
	/** The IDs of the examples there, which may be added later. */
	workflows?: Access['workflows'];
	/** For the latency. */
	seed?: number;
	/** Returns epoch milliseconds. Replaces this machine's clock. */
	now?: () => number;
}

export interface Sandbox {
	/** The address for all three hosts and for everything under `/sandbox`. */
	url: string;
	urls: Urls;
	introduction: string;
	/** All arrivals, oldest first. Grows as requests arrive. */
	record: readonly Arrival[];
	/** How many arrivals the record has dropped. */
	readonly dropped: number;
	accepted(): Arrival[];
	/** Calls the listener on each arrival. Returns a function that ends this. */
	subscribe(listener: (arrival: Arrival) => void): () => void;
	faults: Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>;
	readonly settings: Settings;
	configure(patch: SettingsPatch): void;
	gauges(): Gauge[];
	/** Uses up the limit, as other programs with the same credential would. */
	spend(api: Api, requests: number, identity?: string): void;
	/** Empties the record and the windows, and removes the faults. */
	reset(): void;
	close: () => Promise<void>;
}

/** @throws ZodError if options make no sense, or the system's error if a port is taken */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		port = 0,
		separateHosts = true,
		credentials: { brands = [], tokens = [] } = testCredentials,
		editor,
		workflows,
		seed = 1,
		now = Date.now,
		maxRecords = 100_000,
		maxRecordBytes = 256 * 1024 * 1024,
		...patch
	} = options;

	const settings = { current: changed(defaultSettings, patch) };
	const serviceNowMs = () => now() + settings.current.clockSkewMs;
	const identities = new Identities({ brands, tokens });
	const limiter = new Limiter(() => settings.current, now);
	const faults = new Faults(now);
	const arrivals = new Arrivals({ maxRecords, maxRecordBytes });
	const routes = new Routes(() => settings.current.rejectUserIDs);
	const maxBodyBytes = () => settings.current.maxBodyBytes;
	const pathPrefix = () => settings.current.pathPrefix;
	const service = new Service(
		routes,
		identities,
		limiter,
		faults,
		arrivals,
		maxBodyBytes,
		now,
		pathPrefix,
	);
	const surroundings = {
		settings: () => settings.current,
		serviceNowMs,
		random: seededRandom(seed),
	};

	const gauges = () => limiter.gauges(identities.names);
	const reset = () => {
		arrivals.clear();
		limiter.reset();
		faults.clear();
	};

	const server = (host: HostRole) => createServer(host, service, surroundings);
	const playsAll = server('any');
	const playOne = separateHosts ? [server('base'), server('push'), server('mail')] : [];
	const controls = { arrivals, faults, settings, gauges, reset };
	playsAll.register(
		controlRoutes({
			...controls,
			sendToExample: async (example, body) => await sendToExample(editor, example, body),
		}),
	);
	const state = () => ({
		gauges: gauges(),
		faults: faults.list(),
	});
	playsAll.register(
		pageRoutes({
			arrivals,
			state,
			introduction: () => sandbox.introduction,
			access: () => ({ urls: sandbox.urls, brands, tokens, editor, workflows }),
		}),
	);

	const close = async () => {
		await Promise.all([playsAll, ...playOne].map((one) => one.close()));
	};
	const [url = '', baseUrl = url, pushUrl = url, mailUrl = url] = await listen(
		[playsAll, ...playOne],
		port,
	).catch(async (error: unknown) => {
		await close();
		throw error;
	});
	const urls = { baseUrl, pushUrl, mailUrl };

	const sandbox: Sandbox = {
		url,
		urls,
		introduction: introduction(url, urls, { brands, tokens }),
		record: arrivals.kept,
		get dropped() {
			return arrivals.dropped;
		},
		accepted: () => arrivals.accepted(),
		subscribe: (listener) => arrivals.subscribe(listener),
		faults,
		get settings() {
			return settings.current;
		},
		configure: (change) => {
			settings.current = changed(settings.current, change);
		},
		gauges,
		spend: (api, requests, identity = identities.names[0] ?? '') => {
			limiter.take(identity, api, requests);
		},
		reset,
		close,
	};
	return sandbox;
}

/** @param port the port of the first server; the others get the next ones. If it is 0, each gets any free port. */
async function listen(servers: FastifyInstance[], port: number): Promise<string[]> {
	const urls: string[] = [];
	for (const [index, server] of servers.entries()) {
		const own = port === 0 ? 0 : port + index;
		urls.push(await server.listen({ port: own, host: '127.0.0.1' }));
	}
	return urls;
}
