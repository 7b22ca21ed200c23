import type { Problem } from '../shared/problem';
import { type EntryStore, MAX_ENTRIES } from './store';

/** What n8n stores for the node between the attempts of an execution. */
export interface MarkMemory {
	marked?: {
		/** Whether n8n has confirmed the marks. */
		isConfirmed: boolean;
		/** Joins the names of the execution's messages where the time of its start does not identify it. */
		own?: string;
		/** Whether the node has used Send Once, so that its list must not become shorter. */
		keepsAll: boolean;
	};
}

interface Marking {
	store: EntryStore;
	memory: MarkMemory;
	/** The ID of this execution. */
	execution: string;
	/** When the first execution of a chain of retries began. */
	establishedAtMs: number;
	usesOnce: boolean;
}

/** Tells runs without Send Once how many entries to keep. */
const onceUsed = 'once used';

/** The marks of an attempt with Send Once, or of one that no retry has to know. */
export function onceMarks(establishedAtMs?: number): string[] {
	return establishedAtMs === undefined ? [onceUsed] : [onceUsed, marksOf(establishedAtMs).once];
}

/** The mark of an execution of which an attempt used Send Once. */
export function onceMark(establishedAtMs = 0): string {
	return marksOf(establishedAtMs).once;
}

function marksOf(establishedAtMs: number) {
	const established = `established ${establishedAtMs}`;
	return { established, once: `${established} once`, twins: `${established} twins` };
}

/**
 * Notes that an execution has no marks. If a retry needs names of this execution, they hold its ID: without marks,
 * nobody knows whether another execution began in the same millisecond.
 */
export function noteUnmarked(memory: MarkMemory, execution: string): void {
	memory.marked ??= { isConfirmed: false, own: execution, keepsAll: true };
}

interface Marked {
	/** Whether the node has used Send Once, so that its list must not become shorter. */
	keepsAll: boolean;
	/** Why nothing must be sent. */
	problem?: Problem;
}

/**
 * Marks that an execution without Send Once begins to send.
 *
 * @throws what n8n's store throws
 */
export async function markFirst(marking: Marking): Promise<Marked> {
	const { store, memory, execution, establishedAtMs } = marking;
	const { marked } = memory;
	if (marked?.isConfirmed) return marked;
	noteUnmarked(memory, execution);
	const { established, twins } = marksOf(establishedAtMs);
	const began = `execution ${execution}`;
	const found = await store.exclusively(async (list) => {
		const before = await list.add([established, began, onceUsed], MAX_ENTRIES);
		if (!before.has(onceUsed)) await list.remove([onceUsed]);
		// Two executions began in the same millisecond.
		if (before.has(established)) await list.add([twins], MAX_ENTRIES);
		return before;
	});
	// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
	const keepsAll = found.has(onceUsed);
	if (found.has(began) && !marked) return { keepsAll, problem: runAgain };
	const hasOwn = marked !== undefined || found.has(established);
	memory.marked = { isConfirmed: true, keepsAll, ...(hasOwn && { own: execution }) };
	return { keepsAll };
}

/**
 * Marks that a retry begins to send.
 *
 * @throws what n8n's store throws
 */
export async function markRetry(marking: Marking): Promise<Marked> {
	const { store, memory, establishedAtMs, usesOnce } = marking;
	const { established, once, twins } = marksOf(establishedAtMs);
	const found = await store.exclusively(async (list) => {
		const before = await list.add([established, once, twins, onceUsed], MAX_ENTRIES);
		const stay = usesOnce ? [once, onceUsed] : [];
		const lookedUp = [once, twins, onceUsed].filter((mark) => !stay.includes(mark));
		await list.remove(lookedUp.filter((mark) => !before.has(mark)));
		return before;
	});
	const keepsAll = found.has(onceUsed);
	if (found.has(twins) && !memory.marked) return { keepsAll, problem: twoBegan };
	return { keepsAll, ...(found.has(once) && !usesOnce && { problem: usedOnce }) };
}

const runAgain: Problem = {
	field: 'execution',
	message:
		'n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
};

const twoBegan: Problem = {
	field: 'execution',
	message:
		'Two executions of this workflow began in the same millisecond, and n8n did not store which of their messages this one had sent. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
};

const usedOnce: Problem = {
	field: 'sendOnce',
	message:
		'An earlier attempt of this execution had Send Once on, so what it sent is known by the keys of Send Once only. Turn on Send Once again and retry, or start the workflow from its trigger',
};
