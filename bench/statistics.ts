import { max, median, min, quantile } from 'simple-statistics';

export { mean } from 'simple-statistics';

/** Several measurements of the same value. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

export function spread(values: number[]): Spread {
	return { median: median(values), min: min(values), max: max(values) };
}

/** The ratio of each round. Whatever slowed the machine in a round has slowed both. */
export function ratios(ours: number[], theirs: number[]): Spread {
	return spread(ours.map((value, round) => value / (theirs[round] ?? NaN)));
}

export const percentile = (values: number[], share: number): number => quantile(values, share);

/** `1.23 (1.20–1.31)` */
export function told(
	{ median: middle, min: least, max: most }: Spread,
	digits = 2,
	unit = '',
): string {
	const [shown, from, to] = [middle, least, most].map((value) => number(value, digits));
	return from === to ? `${shown}${unit}` : `${shown}${unit} (${from}–${to})`;
}

/** Writes a dash for missing measurements. */
export function number(value: number, digits = 0): string {
	if (Number.isNaN(value)) return '–';
	return value.toLocaleString('en-GB', {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});
}
