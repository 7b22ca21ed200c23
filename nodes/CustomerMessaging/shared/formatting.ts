/** What was given, in quotes, on one line and not at any length. */
export function quote(value: unknown): string {
	// An object without a prototype cannot be made text.
	const isBare = typeof value === 'object' && value !== null && !('toString' in value);
	// eslint-disable-next-line @typescript-eslint/no-base-to-string -- any object may have been given
	const text = isBare ? 'an object' : String(value);
	const line = text.replace(/\s+/g, ' ');
	return line.length > 60 ? `'${line.slice(0, 60)}…'` : `'${line}'`;
}

/** What a value is, to end a sentence such as 'Tag must be text, but it is …'. */
export function given(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	return typeof value === 'object' ? 'a list or object' : quote(value);
}

/** `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A span of time as a person says it: `2 min 10 s`. */
export function spanOf(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Rising numbers as `3, 7–12`. */
export function ranges(numbers: readonly number[]): string {
	const runs: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = runs.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else runs.push([number, number]);
	}
	return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

/** Whom a broadcast reaches: `segment 42 on android`. */
export function whomOf({ audience, platform }: { audience?: string; platform?: string }): string {
	return [audience, platform && `on ${platform}`].filter(Boolean).join(' ');
}
