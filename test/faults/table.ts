import type { Figures, Ordeal } from './ordeal';

const HEADINGS = [
	'what happened',
	'Send Once',
	'reached',
	'twice',
	'unknown',
	'not sent, named',
	'not sent, unnamed',
	'what the executions say',
	'then',
	'reached',
	'twice',
	'unknown',
	'not sent',
];

/** In Markdown. */
export function tableOf(ordeals: Ordeal[]): string {
	const rows = ordeals.map(({ fault, sendOnce, before, after }) => [
		fault,
		sendOnce ? 'yes' : 'no',
		...figures(before),
		String(before.unnamed.length),
		before.executions.join('; '),
		thenDone(sendOnce, before),
		...figures({ ...after, notSent: [...after.notSent, ...after.unnamed] }),
	]);
	return [HEADINGS, HEADINGS.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function figures({ rows, reached, twice, unknown, notSent }: Figures): string[] {
	return [`${reached} of ${rows}`, ...[twice, unknown, notSent].map(({ length }) => `${length}`)];
}

function thenDone(sendOnce: boolean, { executions }: Figures): string {
	if (sendOnce) return 'the same rows again';
	const failed = executions.filter((text) => !text.endsWith('success'));
	return failed.length > 0 ? 'Retry of what failed' : 'nothing';
}
