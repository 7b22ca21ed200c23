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

export interface Rows {
	/** Those that are new, oldest first. */
	rows: Row[];
	/** Arrivals since the record was last emptied. */
	total: number;
	/** Whether they take the place of all before them. */
	startsOver: boolean;
}

const everyMs = 100;
/** Between two of them, the service answers requests. */
const maxTurnMs = 20;

/**
 * Sends server-sent events until the page is closed. It looks ten times a second for what is new, so
 * that a burst takes few events and nothing is queued for a page that reads slowly.
 */
export function follow(arrivals: Arrivals, state: () => State, response: ServerResponse): void {
	let seenClearings: number | undefined;
	let sentSeq = 0;
	let seenState = '';
	let isBusy = false;

	const write = (event: string, data: string) =>
		response.write(`event: ${event}\ndata: ${data}\n\n`);

	const look = async () => {
		const { clearings, lastSeq, kept, dropped } = arrivals;
		const startsOver = clearings !== seenClearings;
		if (startsOver || lastSeq > sentSeq) {
			const fresh = arrivals.since(startsOver ? 0 : sentSeq).slice(-maxRows);
			const total = kept.length + dropped;
			seenClearings = clearings;
			sentSeq = lastSeq;
			const rows = await toRows(fresh);
			write('rows', JSON.stringify({ rows, total, startsOver } satisfies Rows));
		}
		const now = JSON.stringify(inWholeSeconds(state()));
		if (now !== seenState) write('state', (seenState = now));
	};

	const lookUnlessBusy = async () => {
		if (isBusy || response.writableNeedDrain) return;
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
	response.write('retry: 1000\n\n');
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

/** So that a countdown changes once a second. */
function inWholeSeconds(state: State): State {
	const gauges = state.gauges.map((gauge) => ({
		...gauge,
		msToNextWindow: Math.ceil(gauge.msToNextWindow / 1000) * 1000,
	}));
	return { ...state, gauges };
}
