import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Arrival, Arrivals } from '../arrivals';
import type { ListedFault } from '../faults';
import type { Gauge } from '../limiter';
import { maxRows } from './limits';
import { toRow, type Row } from './row';

/** Sent in addition to the arrivals, whenever part of it changes. */
export interface State {
	gauges: Gauge[];
	faults: ListedFault[];
}

/** The first event: whether the page may keep what it holds. */
export interface Hello {
	resumed: boolean;
	/** Arrivals since the record was last emptied. */
	total: number;
}

export interface Rows {
	/** Oldest first within an event. If there are several events, the newest rows come first. */
	rows: Row[];
	/** Arrivals since the record was last emptied. */
	total: number;
	isLast: boolean;
}

const rowsPerEvent = 500;
const everyMs = 100;
/** Between two of them, the service answers requests. */
const maxTurnMs = 20;

/**
 * Sends server-sent events until the page is closed. It looks ten times a second for what is new, so
 * that a burst takes few events and nothing is queued for a page that reads slowly.
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
		const fresh = arrivals.since(sentSeq).slice(-maxRows);
		const total = countAll(arrivals);
		sentSeq = arrivals.lastSeq;
		const id = eventId();
		for (let end = fresh.length; end > 0 && !response.closed; end -= rowsPerEvent) {
			const rows = await toRows(fresh.slice(Math.max(0, end - rowsPerEvent), end));
			const isLast = end <= rowsPerEvent;
			// A page that loses the connection before the last event starts over, and misses nothing.
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
		// The page connects again and starts over. The sandbox must not end because of a page.
		await look().catch(() => response.destroy());
		isBusy = false;
	};

	response.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	});
	response.write('retry: 1000\n');
	void write(
		'hello',
		JSON.stringify({ resumed: resumedAt !== undefined, total: countAll(arrivals) } satisfies Hello),
	);
	void lookUnlessBusy();
	const timer = setInterval(() => void lookUnlessBusy(), everyMs);
	response.on('error', () => response.destroy());
	response.on('close', () => clearInterval(timer));
}

/** Rows take time if bodies are large. */
async function toRows(arrivals: Arrival[]): Promise<Row[]> {
	const rows: Row[] = [];
	let turnEndsAt = performance.now() + maxTurnMs;
	for (const arrival of arrivals) {
		if (performance.now() > turnEndsAt) {
			await nextTurn();
			turnEndsAt = performance.now() + maxTurnMs;
		}
		rows.push(toRow(arrival));
	}
	return rows;
}

/** Waits until there is room for more, or until the connection is closed. */
async function writable(response: ServerResponse): Promise<void> {
	const settled = new AbortController();
	const either = ['drain', 'close'].map(async (event) => {
		await once(response, event, { signal: settled.signal });
	});
	await Promise.race(either).catch(() => undefined);
	settled.abort();
}

function countAll({ kept, dropped }: Arrivals): number {
	return kept.length + dropped;
}

/** The number up to which a page has everything, if its last event was of this record. */
function numberIn(
	lastEventId: string | undefined,
	{ id, clearings, lastSeq }: Arrivals,
): number | undefined {
	const [ofId, ofClearing, seq] = lastEventId?.split('.') ?? [];
	const isOfThisRecord = ofId === id && ofClearing === String(clearings) && /^\d+$/.test(seq ?? '');
	return isOfThisRecord && Number(seq) <= lastSeq ? Number(seq) : undefined;
}

/** So that a countdown changes once a second. */
function inWholeSeconds(state: State): State {
	const gauges = state.gauges.map((gauge) => ({
		...gauge,
		msToNextWindow: Math.ceil(gauge.msToNextWindow / 1000) * 1000,
	}));
	return { ...state, gauges };
}
