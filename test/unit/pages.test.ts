import { ManualExecutionCancelledError, TimeoutExecutionCancelledError } from 'n8n-workflow';
import path from 'node:path';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { outputSchemas } from '../../scripts/docs/outputSchemas';
import { reference } from '../../scripts/docs/reference';
import { pagesWithVersions, withVersions } from '../../scripts/docs/versions';
import { readTested } from '../../scripts/n8n/testedVersions';
import { messages } from './support/messages';
import { anchorsOf, codeOf, filesIn, linksOf, proseOf, textOf } from './support/pages';

const files = filesIn();
const pages = files.filter((file) => file.endsWith('.md'));
const { homepage, scripts, engines } = JSON.parse(textOf('package.json')) as {
	homepage: string;
	scripts: Record<string, string>;
	engines: { node: string };
};
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];

/** What is wrong with a link from a page to another one, to a file or to a folder. */
function brokenOn(page: string, link: string): string[] {
	const [target = '', anchor] = link.split('#');
	const file = target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(target));
	if (!files.some((name) => name === file || name.startsWith(file.replace(/\/?$/, '/'))))
		return [`${page}: there is no ${file}`];
	if (anchor === undefined || anchorsOf(file).has(anchor)) return [];
	return [`${page}: ${file} has no heading #${anchor}`];
}

describe('Links', () => {
	test('between pages, and to the repository, in code, codex, credentials and forms, lead to a file, and their anchors to a heading.', () => {
		const between = pages.flatMap((page) =>
			linksOf(page)
				.filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
				.map((link) => brokenOn(page, link)),
		);
		expect(between.length).toBeGreaterThan(50);
		const texts = files.filter((file) => /\.(ts|tsx|mjs|js|json|md|yml)$/.test(file)).map(textOf);
		const addresses = texts.join('\n').match(/https:\/\/example\.com\/[^\s"'`)<>]+/g) ?? [];
		const inside = addresses
			.filter((address) => address.startsWith(homepage))
			.map((address) => address.slice(homepage.length).replace(/[.,;:]$/, ''))
			.filter((rest) => !['', '.git', '#readme'].includes(rest))
			.map((rest) => brokenOn('README.md', rest.replace(/^\/(blob|tree)\/main\//, '')));
		expect(inside.length).toBeGreaterThan(1);
		expect([...between, ...inside].flat()).toEqual([]);
	});

	test('of the README lead nowhere inside, because the package has none of its pages: it names them.', () => {
		const relative = linksOf('README.md').filter((link) => !link.startsWith('https://'));
		expect(relative).toEqual(['docs/images/error-branch.png']);
		const named = [...textOf('README.md').matchAll(/`([\w/-]+\.md)`/g)].map(
			([, file = '']) => file,
		);
		expect(named.length).toBeGreaterThan(10);
		expect(named.filter((file) => !files.includes(file))).toEqual([]);
	});

	test('lead to a domain that nobody can register while the package has no owner.', () => {
		expect(homepage).toMatch(/^https:\/\/example\.com\//);
		const unowned = /(?:github|gitlab)\.com[/:]n8n-nodes-customer-messaging/;
		expect(files.filter((file) => unowned.test(textOf(file)))).toEqual([]);
	});

	test('of Docs and Open docs lead to pages of the repository.', () => {
		const codex = textOf('nodes/CustomerMessaging/CustomerMessaging.node.json');
		const guide = `${homepage}/blob/main/docs/guides/credentials.md`;
		expect(JSON.parse(codex)).toHaveProperty('resources', {
			primaryDocumentation: [{ url: `${homepage}#readme` }],
			credentialDocumentation: [{ url: guide }],
		});
		expect(credentials.map(({ documentationUrl }) => documentationUrl)).toEqual([guide, guide]);
	});
});

describe('Labels', () => {
	// Labels of n8n itself, which only n8n could check.
	const known = new Set(['Credential to connect with', 'On Error', 'Retry On Fail']);
	const add = (part: unknown): void => {
		if (typeof part !== 'object' || part === null) return;
		const { displayName, name, value, action, ...rest } = part as Record<string, unknown>;
		for (const label of [displayName ?? (value === undefined ? undefined : name), action])
			// Also without a unit in brackets.
			if (typeof label === 'string') known.add(label).add(label.replace(/ \([^)]*\)$/, ''));
		Object.values(rest).forEach(add);
	};
	add([new CustomerMessaging().description, ...credentials]);

	const withLabels =
		/^(README|docs\/(promises|troubleshooting|administration|service-api|guides\/[\w-]+))\.md$/;
	const labelled = pages.filter((page) => withLabels.test(page));
	test.each(labelled)('that %s names in bold exist in the node or its credentials.', (page) => {
		// A path such as `Options > Max Wait` has several.
		const bold = [...proseOf(page).matchAll(/\*\*(.+?)\*\*/g)];
		const labels = bold.flatMap(([, text = '']) => text.split(' > '));
		expect(labels.filter((label) => !known.has(label))).toEqual([]);
	});
});

test('Every npm command that a page names is a script of the package.', () => {
	const code = pages.map(codeOf).join('\n');
	const named = [...code.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)];
	expect(named.length).toBeGreaterThan(30);
	const unknown = named.filter(([, run, own = '']) => !Object.hasOwn(scripts, run ?? own));
	expect(unknown).toEqual([]);
});

test('Every message that the troubleshooting quotes is one of the node, or of a canceled execution.', () => {
	const page = textOf('docs/troubleshooting.md');
	for (const Canceled of [ManualExecutionCancelledError, TimeoutExecutionCancelledError])
		expect(page).toContain(`*${new Canceled('1').message}*`);
	const quoted = [...page.matchAll(/^> (.+?) *…?$/gm)];
	expect(quoted.length).toBeGreaterThan(20);
	const said = messages().map(({ text }) => text.replace(/\s+/g, ' '));
	const isSaid = (quote: string) => said.some((text) => text.includes(quote));
	expect(quoted.filter(([, quote = '']) => !isSaid(quote))).toEqual([]);
});

test('All pages together have at most 17,000 words.', () =>
	expect(pages.map(textOf).join(' ').match(/\S+/g)?.length).toBeLessThanOrEqual(17_000));

test('The few figures of the README are those of the page on performance.', () => {
	const [, shown = ''] = /<!--figures-->([^]*)<!--\/figures-->/.exec(textOf('README.md')) ?? [];
	const rows = shown.match(/^\| \d.*$/gm) ?? [];
	expect(rows.length).toBeGreaterThan(1);
	const all = textOf('docs/contributing/performance.md').split('\n');
	expect(rows.filter((row) => !all.includes(row))).toEqual([]);
});

test('Pages, package and commands agree on the oldest version of Node, and leave newer ones to n8n.', () => {
	for (const file of ['README.md', 'CONTRIBUTING.md', 'scripts/ensureInstalled.mjs']) {
		const named = [...textOf(file).matchAll(/Node\.js \d+\.\d+(?: to \d+| or newer)?/g)];
		expect([...new Set(named.map(([words]) => words))]).toEqual(['Node.js 20.19 or newer']);
	}
	expect(textOf('scripts/ensureInstalled.mjs')).toContain("ranges.suits('>=20.19')");
	expect(engines.node).toBe('>=20.19');
});

test('The reference, the tested versions and the schemas of outputs are what `npm run docs` makes', () => {
	expect(textOf('docs/reference.md')).toBe(reference());
	for (const page of pagesWithVersions)
		expect(textOf(page)).toBe(withVersions(textOf(page), readTested()));
	const schemas = filesIn('nodes/CustomerMessaging/__schema__');
	expect(schemas.sort()).toEqual([...outputSchemas().keys()].sort());
	for (const [file, schema] of outputSchemas()) expect(JSON.parse(textOf(file))).toEqual(schema);
});
