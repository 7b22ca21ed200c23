import path from 'node:path';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { codeOf, filesIn, linksOf, proseOf, textOf } from './support/pages';
import { sentences } from './support/sentences';

const files = filesIn();
const said = sentences();
const pages = files.filter((file) => file.endsWith('.md'));
/** In these, what is bold is a label, and what is in italics is a choice, a message or a word of n8n. */
const ofLabels = pages.filter((page) =>
	/^(README|docs\/(promises|troubleshooting|administration|open-questions|guides\/[\w-]+))\.md$/.test(
		page,
	),
);

/** n8n's own, which only n8n could check. */
const labelsOfN8n = [
	'Allowed HTTP Request Domains',
	'Credential to connect with',
	'On Error',
	'Retry On Fail',
];

/** What n8n and the account show, which nothing here could check. */
const wordsOfOthers = [
	...['AI Agent', 'Tool', 'Human review', 'Let the model define this parameter'],
	...['Continue', 'Continue (using error output)', 'Stop Workflow', 'Execute Once'],
	...['Execute step', 'Stop', 'Retry', 'Retry On Fail', 'Save execution progress'],
	...['Save failed production executions', 'Save successful production executions'],
	...['Owner', 'Admin'],
	...['Binary', 'View', 'Highlighted data', 'Expression', 'From list', 'None'],
	...['Connect using', 'Create new credential'],
	...['If', 'Loop Over Items', 'Merge', 'Remove Duplicates', 'Schedule Trigger', 'Manual Trigger'],
	...['Execute Sub-workflow', 'Run once for each item', 'Wait For Sub-Workflow Completion'],
	...['Node', 'Workflow', 'Timeout Workflow'],
	...['Settings', 'Community nodes', 'Install', 'Store Integration'],
];

/** Every label of the node's form and of the credentials, also without a unit in brackets. */
function labels(): Set<string> {
	const found = new Set(labelsOfN8n);
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

/** A shorter text would be part of some message by chance. */
function isSentence(text: string): boolean {
	return text.split(' ').length > 5;
}

/** Texts in italics that are neither a choice of the form nor a message of the node nor known words. */
function unknownWords(prose: string, known: ReadonlySet<string>, said: readonly string[]) {
	return [...prose.matchAll(/(?<!\*)\*(?!\*)([^*\n]+)\*(?!\*)/g)]
		.map(([, italics = '']) => italics)
		.filter((italics) => !(isSentence(italics) && said.some((text) => text.includes(italics))))
		.flatMap((italics) => italics.split(' > '))
		.filter((word) => !known.has(word) && !wordsOfOthers.includes(word));
}

describe.each(ofLabels)('%s', (page) => {
	const known = labels();

	test('names only labels that exist in the node or its credentials.', () => {
		expect(unknownLabels(proseOf(page), known)).toEqual([]);
	});

	test('names only choices, messages and words of n8n that exist.', () => {
		expect(unknownWords(proseOf(page), known, said)).toEqual([]);
	});
});

test('A label that does not exist is found.', () => {
	const known = labels();
	expect(unknownLabels('Set **Options > Max Wait** and **Send At**.', known)).toEqual([]);
	expect(unknownLabels('Set **Options > Max Weight**.', known)).toEqual(['Max Weight']);
	expect(unknownWords('Choose *Within Hours*, **not** *Never*.', known, said)).toEqual(['Never']);
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
	const quoted = [...textOf('docs/troubleshooting.md').matchAll(/^> (.+?)…?$/gm)].map(
		([, quote = '']) => quote.trimEnd(),
	);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter((quote) => !said.some((text) => text.includes(quote)))).toEqual([]);
});

test('The troubleshooting has between 15 and 25 entries, and each says what to do.', () => {
	const [, ...entries] = textOf('docs/troubleshooting.md').split(/^### /m);
	expect(entries.length).toBeGreaterThanOrEqual(15);
	expect(entries.length).toBeLessThanOrEqual(25);
	expect(entries.filter((entry) => !entry.includes('\nWhat to do: '))).toEqual([]);
});
