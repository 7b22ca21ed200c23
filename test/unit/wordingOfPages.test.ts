import { ManualExecutionCancelledError, TimeoutExecutionCancelledError } from 'n8n-workflow';
import path from 'node:path';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { codeOf, filesIn, linksOf, proseOf, textOf } from './support/pages';
import { sentences } from './support/sentences';

const files = filesIn();
const said = sentences();
const pages = files.filter((file) => file.endsWith('.md'));
/** In these, what is bold is a label. */
const ofLabels = pages.filter((page) =>
	/^(README|docs\/(promises|troubleshooting|administration|service-api|guides\/[\w-]+))\.md$/.test(
		page,
	),
);

/** Every label of the node's form and of the credentials, also without a unit in brackets. */
function labels(): Set<string> {
	// Labels of n8n itself, which only n8n could check.
	const found = new Set(['Credential to connect with', 'On Error', 'Retry On Fail']);
	const add = (part: unknown): void => {
		if (typeof part !== 'object' || part === null) return;
		if (Array.isArray(part)) return part.forEach(add);
		const { displayName, name, value, action, ...rest } = part as Record<string, unknown>;
		for (const label of [displayName ?? (value === undefined ? undefined : name), action])
			if (typeof label === 'string')
				for (const text of [label, withoutUnit(label)]) found.add(text);
		Object.values(rest).forEach(add);
	};
	const { description } = new CustomerMessaging();
	[description, new CustomerMessagingApi(), new CustomerMessagingPartnerApi()].forEach(add);
	return found;
}

function withoutUnit(label: string): string {
	return label.replace(/ \([^)]*\)$/, '');
}

/** Bold texts of a page that are no labels. A path such as `Options > Max Wait` has several. */
function unknownLabels(prose: string, known: ReadonlySet<string>): string[] {
	return [...prose.matchAll(/\*\*(.+?)\*\*/g)]
		.flatMap(([, bold = '']) => bold.split(' > '))
		.filter((label) => !known.has(label));
}

describe.each(ofLabels)('%s', (page) => {
	const known = labels();

	test('names only labels that exist in the node or its credentials.', () => {
		expect(unknownLabels(proseOf(page), known)).toEqual([]);
	});
});

test('Every npm command that a page names is a script of the package.', () => {
	const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
	const named = pages.flatMap((page) =>
		[...codeOf(page).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
			([, run, own]) => [page, run ?? own ?? ''] as const,
		),
	);
	expect(named.length).toBeGreaterThan(30);
	expect(named.filter(([, script]) => !Object.hasOwn(scripts, script))).toEqual([]);
});

test('Every picture is shown on a page.', () => {
	const shown = new Set(
		pages.flatMap((page) =>
			linksOf(page).map((link) => path.posix.join(path.posix.dirname(page), link)),
		),
	);
	const pictures = files.filter((file) => file.startsWith('docs/images/'));
	expect(pictures.length).toBeGreaterThan(10);
	expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
});

test('Every message that the troubleshooting quotes is one of the node.', () => {
	const quoted = [...textOf('docs/troubleshooting.md').matchAll(/^> (.+?)…?$/gm)].map(
		([, quote = '']) => quote.trimEnd(),
	);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((quote) => !said.some((text) => text.includes(quote)))).toEqual([]);
});

test('The troubleshooting names canceled executions as n8n does.', () => {
	const page = textOf('docs/troubleshooting.md');
	for (const Canceled of [ManualExecutionCancelledError, TimeoutExecutionCancelledError])
		expect(page).toContain(`*${new Canceled('1').message}*`);
});

test('Pages stay short: the README, all together, and the cells of the promises.', () => {
	const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
	expect(words(textOf('README.md'))).toBeLessThanOrEqual(900);
	expect(words(pages.map(textOf).join(' '))).toBeLessThanOrEqual(25_000);
	const rows = textOf('docs/promises.md')
		.split('\n')
		.filter((line) => line.startsWith('|'));
	const long = rows.flatMap((row) => row.split('|')).filter((cell) => words(cell) > 60);
	expect(rows.length).toBeGreaterThan(20);
	expect(long).toEqual([]);
});
