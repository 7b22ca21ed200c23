import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Arrivals } from '../arrivals';
import type { ListedFault } from '../faults';
import type { Gauge } from '../limiter';
import type { ShownSettings } from '../settings';
import { mostRows } from './limits';
import { toRow, type Row } from './row';

/** What is told beside the arrivals, whenever some of it changes. */
export interface State {
	gauges: Gauge[];
	faults: ListedFault[];
	settings: ShownSettings;
	/** The number of the newest change made over HTTP that is included here. */
	lastChange: number;
}

/** The first event: whether what a page already holds still counts. */
export interface Hello {
	resumed: boolean;
	/** How many arrived since the record was last emptied. */
	total: number;
}

export interface Rows {
	/** Oldest first. Of several events in a row, the newest come first. */
	rows: Row[];
	/** How many arrived since the record was last emptied. */
	total: number;
	isLast: boolean;
}

const rowsPerEvent = 500;
const everyMs = 100;

/**
 * Server-sent events until the page goes: looks ten times a second for what is new, so that a burst
 * goes out in few events, and a page that reads slowly is never queued for.
 */
export function follow(
	arrivals: Arrivals,
	state: () => State,
	response: ServerResponse,
	lastEventId: string | undefined,
): void {
	let seenClearings = arrivals.clearings;
	let seenState = '';
	let isBusy = false;

	const resumedAt = numberIn(lastEventId, arrivals);
	let sentSeq = resumedAt ?? 0;
	const eventId = () => `${arrivals.id}.${seenClearings}.${sentSeq}`;

	const write = async (event: string, data: string, id = '') => {
		const isFlowing = response.write(`${id && `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
		if (!isFlowing && !response.closed) await writable(response);
	};

	const sendRows = async () => {
		const fresh = arrivals.since(sentSeq).slice(-mostRows);
		const total = totalOf(arrivals);
		sentSeq = arrivals.lastSeq;
		const id = eventId();
		for (let end = fresh.length; end > 0 && !response.closed; end -= rowsPerEvent) {
			const rows = fresh.slice(Math.max(0, end - rowsPerEvent), end).map(toRow);
			const isLast = end <= rowsPerEvent;
			// A page that loses the connection in between starts over, and misses nothing.
			await write('rows', JSON.stringify({ rows, total, isLast } satisfies Rows), isLast ? id : '');
		}
	};

	const look = async () => {
		if (arrivals.clearings !== seenClearings) {
			seenClearings = arrivals.clearings;
			sentSeq = (arrivals.kept[0]?.seq ?? arrivals.lastSeq + 1) - 1;
			await write('cleared', '{}', eventId());
		}
		if (arrivals.lastSeq > sentSeq) await sendRows();
		const now = JSON.stringify(inWholeSeconds(state()));
		if (now !== seenState) await write('state', (seenState = now));
	};

	const lookUnlessBusy = async () => {
		if (isBusy) return;
		isBusy = true;
		await look().finally(() => (isBusy = false));
	};

	response.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	});
	response.write('retry: 1000\n');
	void write(
		'hello',
		JSON.stringify({ resumed: resumedAt !== undefined, total: totalOf(arrivals) } satisfies Hello),
	);
	void lookUnlessBusy();
	const timer = setInterval(() => void lookUnlessBusy(), everyMs);
	response.on('error', () => response.destroy());
	response.on('close', () => clearInterval(timer));
}

/** Until there is room for more, or nobody left to write to. */
async function writable(response: ServerResponse): Promise<void> {
	const settled = new AbortController();
	const either = ['drain', 'close'].map(async (event) => {
		await once(response, event, { signal: settled.signal });
	});
	await Promise.race(either).catch(() => undefined);
	settled.abort();
}

function totalOf({ kept, dropped }: Arrivals): number {
	return kept.length + dropped;
}

/** The number up to which a page has everything, where its last event was of this record. */
function numberIn(
	lastEventId: string | undefined,
	{ id, clearings, lastSeq }: Arrivals,
): number | undefined {
	const [ofId, ofClearing, seq] = lastEventId?.split('.') ?? [];
	const isOfThisRecord = ofId === id && ofClearing === String(clearings) && /^\d+$/.test(seq ?? '');
	return isOfThisRecord && Number(seq) <= lastSeq ? Number(seq) : undefined;
}

/** So that a countdown is one change a second. */
function inWholeSeconds(state: State): State {
	const gauges = state.gauges.map((gauge) => ({
		...gauge,
		msToNextWindow: Math.ceil(gauge.msToNextWindow / 1000) * 1000,
	}));
	return { ...state, gauges };
}
