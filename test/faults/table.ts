import type { Figures, Ordeal } from './ordeal';

const HEADINGS = [
	'what happens',
	'Send Once',
	'reached',
	'unknown',
	'not sent',
	'n8n shows',
	'then',
	'reached in the end',
	'unknown',
	'not sent',
	'sent twice',
];

/** In Markdown. */
export function tableOf(ordeals: Ordeal[]): string {
	const rows = ordeals.map(({ fault, sendOnce, before, after }) => [
		fault,
		sendOnce ? 'yes' : 'no',
		...figures(before),
		before.executions.join('; '),
		thenDone(sendOnce, before),
		...figures(after),
		String(after.twice.length),
	]);
	return [HEADINGS, HEADINGS.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function figures({ rows, reached, unknown, notSent, unnamed }: Figures): string[] {
	const named = notSent.length > 0 ? [`${notSent.length}, each named`] : [];
	const others = unnamed.length > 0 ? [`${unnamed.length}, not named`] : [];
	return [`${reached} of ${rows}`, String(unknown.length), [...named, ...others].join('; ') || '0'];
}

function thenDone(sendOnce: boolean, { executions }: Figures): string {
	if (sendOnce) return 'the same rows again';
	const failed = executions.filter((text) => !text.endsWith('success'));
	return failed.length > 0 ? 'Retry from the list' : 'nothing';
}
