import type { Problem } from '../shared/result';
import { type EntryStore, MAX_ENTRIES } from './store';

/** What n8n stores for the node between the attempts of an execution. */
export interface MarkMemory {
	marked?: {
		/** Whether n8n has confirmed the marks. */
		isConfirmed: boolean;
		/** Joins the names of the execution's messages, where the time of its start does not identify it. */
		own?: string;
		/** Whether the node has used Send Once, so that its list must not become shorter. */
		keepsAll: boolean;
	};
}

interface Marking {
	/** The ID of this execution. */
	execution: string;
	/** When the first execution of a chain of retries began. */
	establishedAtMs: number;
	isRetry: boolean;
	usesOnce: boolean;
}

/** Tells runs without Send Once how many entries to keep. */
export const onceUsed = 'once used';

/** The mark of an execution of which an attempt used Send Once. */
export const onceMark = (establishedAtMs = 0) => `established ${establishedAtMs} once`;

/**
 * Notes that an execution has no marks. If a retry needs names of this execution, they hold its ID: without marks,
 * nobody knows whether another execution began in the same millisecond.
 */
export function noteUnmarked(memory: MarkMemory, execution: string): void {
	memory.marked ??= { isConfirmed: false, own: execution, keepsAll: true };
}

/**
 * Marks that a first attempt without Send Once, or a retry, begins to send.
 *
 * @returns whether the node has used Send Once, and why nothing must be sent
 * @throws what n8n's store throws
 */
export async function mark(
	store: EntryStore,
	memory: MarkMemory,
	{ execution, establishedAtMs, isRetry, usesOnce }: Marking,
): Promise<{ keepsAll: boolean; problem?: Problem }> {
	const { marked } = memory;
	if (!isRetry && marked?.isConfirmed) return marked;
	if (!isRetry) noteUnmarked(memory, execution);
	await store.probe();
	const established = `established ${establishedAtMs}`;
	const twins = `${established} twins`;
	const began = `execution ${execution}`;
	const once = onceMark(establishedAtMs);
	const left = [established, ...(isRetry ? [] : [began]), ...(usesOnce ? [once, onceUsed] : [])];
	const lookedUp = (isRetry ? [once, twins, onceUsed] : [onceUsed]).filter(
		(one) => !left.includes(one),
	);
	let isLong = false;
	const found = await store.exclusively(async (list) => {
		// A list that was full may have dropped the mark of Send Once.
		isLong = (await list.count()) > MAX_ENTRIES / 2;
		const before = await list.add([...left, ...lookedUp], MAX_ENTRIES);
		const removing = list.remove(lookedUp.filter((one) => !before.has(one)));
		// All that a first attempt looks up is the mark of Send Once. If it stays, the list only becomes longer.
		await (isRetry ? removing : removing.catch(() => undefined));
		if (!isRetry && before.has(established)) await list.add([twins], MAX_ENTRIES);
		return before;
	});
	const keepsAll = isLong || found.has(onceUsed);
	if (isRetry) {
		if (found.has(twins) && !marked) return { keepsAll, problem: twoBegan };
		return { keepsAll, ...(found.has(once) && !usesOnce && { problem: usedOnce }) };
	}
	// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
	if (found.has(began) && !marked) return { keepsAll, problem: runAgain };
	const hasOwn = marked !== undefined || found.has(established);
	memory.marked = { isConfirmed: true, keepsAll, ...(hasOwn && { own: execution }) };
	return { keepsAll };
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
