import type { PreviewResult } from '../shared/result';

/** A measure by which one message of many is the one to look at. */
interface Measure {
	name: string;
	of: (result: PreviewResult) => number;
}

const measures: readonly Measure[] = [
	{
		name: 'the longest text',
		of: ({ measured }) =>
			Object.values(measured?.characters ?? {}).reduce((sum, { count }) => sum + count, 0),
	},
	{ name: 'the most empty placeholders', of: ({ delivery }) => delivery.gaps?.length ?? 0 },
	{ name: 'the most parts', of: ({ measured }) => measured?.sms?.parts ?? 0 },
];

/**
 * Finds the messages that are worth a look although many stand before them.
 *
 * @returns why, by their index. A measure by which all are equal names none.
 */
export function findWorst(results: readonly PreviewResult[]): ReadonlyMap<number, string> {
	const found = new Map<number, string>();
	for (const { name, of } of measures) {
		const values = results.map(of);
		const worst = values.reduce((most, value) => Math.max(most, value), 0);
		if (values.every((value) => value === worst)) continue;
		const index = values.indexOf(worst);
		const others = found.get(index);
		found.set(index, others === undefined ? name : `${others}, ${name}`);
	}
	return found;
}
