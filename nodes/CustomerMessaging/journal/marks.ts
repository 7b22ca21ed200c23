import type { NodeMemory } from '../n8n/memory';
import { MINUTE_MS } from '../shared/apis';
import type { Problem } from '../shared/result';
import { listEntries } from './entries';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Clocks of workers may differ by less than this. */
const CLOCKS_DIFFER_MS = 15 * MINUTE_MS;

/** Is in the list since it was empty. */
const first = 'first';

/** The periods that are marked, each with how many of them a retry looks up. */
const periods = [
	{ name: 'month', length: 7, count: 12 },
	{ name: 'day', length: 10, count: 31 },
	{ name: 'hour', length: 13, count: 48 },
] as const;

function periodMark({ name, length }: (typeof periods)[number], ms: number): string {
	return `${name} ${new Date(ms).toISOString().slice(0, length)}`;
}

/** The beginning of the period before the one that holds a time, in UTC. */
function before({ name }: (typeof periods)[number], ms: number): number {
	if (name === 'hour') return ms - HOUR_MS;
	if (name === 'day') return ms - DAY_MS;
	const date = new Date(ms);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}

/**
 * Entries that are older than an execution, in groups to be looked up one after the other. The list drops its
 * oldest entries first, so if one of these is still there, nothing of the execution was dropped.
 */
export function olderMarks(establishedAtMs: number): string[][] {
	const ofPeriods = periods.map((period) => {
		const marks: string[] = [];
		for (let ms = establishedAtMs - CLOCKS_DIFFER_MS; marks.length < period.count;) {
			ms = before(period, ms);
			marks.push(periodMark(period, ms));
		}
		return marks;
	});
	return [[first], ...ofPeriods];
}

/** What an execution leaves in the list before its first message. */
export interface Marks {
	/** The mark by which a retry recognizes that the list reaches back to the execution. */
	established: string;
	twins: string;
	/** Show that a retry has begun, although a first attempt has not. n8n may take an execution for dead that goes on. */
	ofRetry: string[];
	/** Those of a first attempt, by its execution's ID. */
	ofExecution: string[];
	/** What is added with the first claim, the oldest first. */
	toAdd: (isEmpty: boolean) => string[];
}

/** @param ofExecution the ID of a first attempt */
export function marksOf(establishedAtMs: number, nowMs: number, ofExecution?: string): Marks {
	const established = `established ${establishedAtMs}`;
	const retried = `${established} retried`;
	const ofPeriods = periods.map((period) => periodMark(period, nowMs));
	// n8n 1 runs a killed execution again within a day. An n8n that was moved counts its IDs from 1 again.
	const days = ofExecution === undefined ? [] : [nowMs, nowMs + DAY_MS];
	const ownMarks = days.map((ms) => `execution ${ofExecution} ${utcDay(ms)}`);
	return {
		established,
		twins: `${established} twins`,
		// A retry that was killed while it looked the mark up has left both of its entries.
		ofRetry: [retried, listEntries(established)[1]],
		ofExecution: ownMarks,
		toAdd: (isEmpty) => [
			...(isEmpty ? [first] : []),
			...ofPeriods,
			established,
			...(ofExecution === undefined ? [retried] : ownMarks),
		],
	};
}

function utcDay(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

export function cannotGoOn(message: string): Problem {
	return { field: 'execution', message };
}

const checkAccount =
	'Check in the account what was sent, then start the workflow from its trigger with the rows that are missing';

/** In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed. */
export function runAgain(memory: NodeMemory): Problem {
	memory.wasInterrupted = true;
	return cannotGoOn(
		`n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. ${checkAccount}`,
	);
}

export const twoBegan = cannotGoOn(
	`Two executions of this workflow began in the same millisecond, and n8n did not store which of their messages this one had sent. ${checkAccount}`,
);
