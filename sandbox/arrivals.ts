import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from './faults';
import { jsonOrUndefined } from './json';
import type { Api, Channel, HostRole, Platform, Problem } from './terms';

export type Verdict =
	'accepted' | 'rejected' | 'unauthorized' | 'notFound' | 'tooLarge' | 'rateLimited';
export type Outcome = Verdict | `fault:${Fault['kind']}`;

/** One request as it arrived, and its outcome. */
export interface Arrival {
	/** From 1, in order of arrival. */
	seq: number;
	/** Epoch milliseconds of this machine's clock, without the service's skew. */
	time: number;
	host: HostRole;
	method: string;
	/** Includes the query string, if there is one. */
	path: string;
	/** As they were received, with secrets. They are masked before they are served over HTTP. */
	headers: IncomingHttpHeaders;
	rawBody: string;
	/** Parsed each time it is read: kept, it would take many times the memory of the text. Undefined if it is not JSON. */
	readonly body: unknown;
	identity: string | null;
	api: Api | null;
	channel: Channel | null;
	platform: Platform | null;
	outcome: Outcome;
	/** Whether the service accepted it, regardless of the response. */
	accepted: boolean;
	problems: Problem[];
	/** Null if there was no response. */
	status: number | null;
	remaining: number | null;
	/** The body of the response. Null if there was none. */
	answer: string | null;
}

export interface Bounds {
	maxRecords: number;
	/** The memory for all arrivals together. */
	maxRecordBytes: number;
}

/** The newest arrivals. Beyond a maximum, the oldest are dropped and counted. */
export class Arrivals {
	readonly kept: Arrival[] = [];
	dropped = 0;
	/** How often the record was emptied. */
	clearings = 0;
	lastSeq = 0;
	private bytes = 0;
	private readonly listeners = new Set<(arrival: Arrival) => void>();

	constructor(private readonly bounds: Bounds) {}

	add(details: Omit<Arrival, 'seq' | 'body'>): Arrival {
		const arrival: Arrival = {
			seq: ++this.lastSeq,
			...details,
			get body() {
				return jsonOrUndefined(details.rawBody);
			},
		};
		this.kept.push(arrival);
		this.bytes += countBytes(arrival);
		this.keepWithinBounds();
		for (const listener of this.listeners) listener(arrival);
		return arrival;
	}

	/** Undefined if it was dropped or has not arrived yet. */
	find(seq: number): Arrival | undefined {
		return this.kept[seq - (this.kept[0]?.seq ?? 0)];
	}

	/** The arrivals after the one with this number. */
	since(seq: number): Arrival[] {
		const firstSeq = this.kept[0]?.seq ?? 0;
		return this.kept.slice(Math.max(0, seq - firstSeq + 1));
	}

	accepted(): Arrival[] {
		return this.kept.filter(({ accepted }) => accepted);
	}

	/** Calls the listener on each arrival. Returns a function that ends this. */
	subscribe(listener: (arrival: Arrival) => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** Numbers continue, so that a reader who asks for newer arrivals misses none. */
	clear(): void {
		this.kept.length = 0;
		this.dropped = 0;
		this.bytes = 0;
		this.clearings++;
	}

	// Drops a tenth at a time, because each removal moves all other entries.
	private keepWithinBounds(): void {
		const { maxRecords, maxRecordBytes } = this.bounds;
		while (this.kept.length > maxRecords || this.bytes > maxRecordBytes) {
			const gone = this.kept.splice(0, Math.ceil(this.kept.length / 10));
			this.dropped += gone.length;
			for (const arrival of gone) this.bytes -= countBytes(arrival);
		}
	}
}

/** Of an arrival besides its texts, and of each header and problem. */
const overheadBytes = { arrival: 1000, entry: 100 };

/** An upper estimate of the memory that an arrival takes. */
function countBytes({ path, headers, rawBody, answer, problems }: Arrival): number {
	const fields = Object.entries(headers);
	const texts = [path, rawBody, answer ?? ''];
	for (const [name, value] of fields) texts.push(name, String(value));
	for (const problem of problems) texts.push(problem.path, problem.rule);
	const chars = texts.reduce((sum, text) => sum + text.length, 0);
	return (
		2 * chars + overheadBytes.arrival + overheadBytes.entry * (fields.length + problems.length)
	);
}
