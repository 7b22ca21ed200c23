import { MINUTE_MS } from '../shared/apis';
import type { HandedOver } from '../shared/result';

/**
 * n8n's store can say only whether an entry is there. So a number is written as one entry for each of its bits,
 * whether it is 0 or 1. If both are there, a look-up was interrupted, and the number is not known.
 */
const BITS = 31;
const MINUTES_A_DAY = 1_440;
const MAX_AHEAD = Math.floor(2 ** BITS / MINUTES_A_DAY) - 1;

/** The entries that say when a broadcast was handed over within the last day, and for when. */
export function handoverEntries(key: string, { atMs, forMs }: HandedOver): string[] {
	const at = Math.floor(atMs / MINUTE_MS);
	const isLater = forMs !== undefined && forMs > atMs;
	const ahead = isLater ? Math.min(MAX_AHEAD, Math.round(forMs / MINUTE_MS - at)) : 0;
	const number = ahead * MINUTES_A_DAY + (at % MINUTES_A_DAY);
	return Array.from({ length: BITS }, (_, bit) =>
		entry(key, bit, Math.floor(number / 2 ** bit) % 2),
	);
}

/** All entries that there may be. */
export function allHandoverEntries(key: string): string[] {
	return Array.from({ length: BITS }, (_, bit) => [entry(key, bit, 0), entry(key, bit, 1)]).flat();
}

/** When it was handed over, and for when; undefined if that is not known. */
export function readHandover(
	key: string,
	stored: ReadonlySet<string>,
	nowMs: number,
): HandedOver | undefined {
	let number = 0;
	for (let bit = 0; bit < BITS; bit++) {
		const [isOff, isOn] = [0, 1].map((value) => stored.has(entry(key, bit, value)));
		if (isOff === isOn) return undefined;
		if (isOn) number += 2 ** bit;
	}
	const now = Math.floor(nowMs / MINUTE_MS);
	const ago = (now - (number % MINUTES_A_DAY) + MINUTES_A_DAY) % MINUTES_A_DAY;
	const ahead = Math.floor(number / MINUTES_A_DAY);
	const atMs = (now - ago) * MINUTE_MS;
	return { atMs, ...(ahead > 0 && { forMs: atMs + ahead * MINUTE_MS }) };
}

function entry(key: string, bit: number, value: number): string {
	return `${key} handed over, bit ${bit} is ${value}`;
}
