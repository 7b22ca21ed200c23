import path from 'node:path';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { codeOf, filesIn, linksOf, proseOf, textOf } from './support/pages';
import { sentences } from './support/sentences';

const files = filesIn();
const pages = files.filter((file) => file.endsWith('.md'));
/** In these, what is bold is a label, and nothing else is. */
const ofLabels = pages.filter((page) =>
	/^(README|docs\/(promises|troubleshooting|guides\/[\w-]+))\.md$/.test(page),
);

/** n8n's own, which only n8n could check. */
const labelsOfN8n = [
	'Allowed HTTP Request Domains',
	'Credential to connect with',
	'On Error',
	'Retry On Fail',
];

/** Every label of the node's form and of the credentials, also without a unit in brackets. */
function labels(): Set<string> {
	const found = new Set(labelsOfN8n);
	const add = (part: unknown): void => {
		if (typeof part !== 'object' || part === null) return;
		if (Array.isArray(part)) return part.forEach(add);
		const { displayName, name, value, ...rest } = part as Record<string, unknown>;
		const label = displayName ?? (value === undefined ? undefined : name);
		if (typeof label === 'string') for (const text of [label, withoutUnit(label)]) found.add(text);
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

test.each(ofLabels)('%s: every label exists in the node or its credentials.', (page) => {
	expect(unknownLabels(proseOf(page), labels())).toEqual([]);
});

test('A label that does not exist is found.', () => {
	const known = labels();
	expect(unknownLabels('Set **Options > Max Wait** and **Send At**.', known)).toEqual([]);
	expect(unknownLabels('Set **Options > Max Weight**.', known)).toEqual(['Max Weight']);
	expect(ofLabels.length).toBeGreaterThan(10);
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
	const said = sentences();
	const quoted = [...textOf('docs/troubleshooting.md').matchAll(/^> (.+?)…?$/gm)].map(
		([, quote = '']) => quote.trimEnd(),
	);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((quote) => !said.some((text) => text.includes(quote)))).toEqual([]);
});

test('The troubleshooting has between 15 and 35 entries, and each says what to do.', () => {
	const [, ...entries] = textOf('docs/troubleshooting.md').split(/^### /m);
	expect(entries.length).toBeGreaterThanOrEqual(15);
	expect(entries.length).toBeLessThanOrEqual(35);
	expect(entries.filter((entry) => !entry.includes('\nWhat to do: '))).toEqual([]);
});
