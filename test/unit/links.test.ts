import path from 'node:path';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { anchorsOf, filesIn, linksOf, textOf } from './support/pages';

const files = filesIn();
const pages = files.filter((file) => file.endsWith('.md'));
const { homepage } = JSON.parse(textOf('package.json')) as { homepage: string };

const isExternal = (link: string) => /^[a-z][a-z0-9+.-]*:/i.test(link);

/** Returns what is wrong with a link from a page to another one or to a file, or undefined. */
function brokenBetweenPages(page: string, link: string): string | undefined {
	const [target = '', anchor] = link.split('#');
	const file =
		target === ''
			? page
			: path.posix.normalize(path.posix.join(path.posix.dirname(page), decodeURI(target)));
	// A folder is a target too.
	if (!files.some((name) => name === file || name.startsWith(file.replace(/\/?$/, '/'))))
		return `${page}: there is no ${file}`;
	if (anchor === undefined) return undefined;
	return anchorsOf(file).has(anchor) ? undefined : `${page}: ${file} has no heading #${anchor}`;
}

/** Returns what is wrong with an address of the project's own repository, or undefined. */
function brokenAtHome(file: string, address: string): string | undefined {
	const rest = address.slice(homepage.length);
	if (rest === '' || rest === '.git' || rest === '#readme') return undefined;
	if (rest.startsWith('#'))
		return anchorsOf('README.md').has(rest.slice(1))
			? undefined
			: `${file}: the README has no heading ${rest}`;
	const [, inside] = /^\/(?:blob|tree)\/main\/(.+)$/.exec(rest) ?? [];
	return inside
		? brokenBetweenPages('README.md', inside)
		: `${file}: ${address} is none of the repository's addresses`;
}

test('Every link between pages leads to a file, and its anchor to a heading.', () => {
	const links = pages.flatMap((page) =>
		linksOf(page)
			.filter((link) => !isExternal(link))
			.map((link) => [page, link] as const),
	);
	expect(links.length).toBeGreaterThan(50);
	expect(links.map(([page, link]) => brokenBetweenPages(page, link)).filter(Boolean)).toEqual([]);
});

test('Every address of the repository, in code, codex, credentials and forms, exists there.', () => {
	const texts = files.filter((file) => /\.(ts|tsx|mjs|js|json|md|yml)$/.test(file));
	const found = texts.flatMap((file) =>
		[...textOf(file).matchAll(/https:\/\/example\.com\/[^\s"'`)<>]+/g)]
			.map(([address]) => address.replace(/[.,;:]$/, ''))
			.filter((address) => address.startsWith(homepage))
			.map((address) => [file, address] as const),
	);
	expect(found.map(([file]) => file)).toContain('package.json');
	expect(found.map(([file, address]) => brokenAtHome(file, address)).filter(Boolean)).toEqual([]);
});

test('While the package has no owner, its addresses are in a domain that nobody can register.', () => {
	expect(homepage).toMatch(/^https:\/\/example\.com\//);
	const unowned = /(?:github|gitlab)\.com[/:]n8n-nodes-customer-messaging/;
	expect(files.filter((file) => unowned.test(textOf(file)))).toEqual([]);
});

test('Docs and Open docs lead to pages of the repository', () => {
	const { resources } = JSON.parse(
		textOf('nodes/CustomerMessaging/CustomerMessaging.node.json'),
	) as { resources: Record<string, Array<{ url: string }>> };
	const guide = `${homepage}/blob/main/docs/guides/credentials.md`;
	expect(resources).toEqual({
		primaryDocumentation: [{ url: `${homepage}#readme` }],
		credentialDocumentation: [{ url: guide }],
	});
	for (const { documentationUrl } of [
		new CustomerMessagingApi(),
		new CustomerMessagingPartnerApi(),
	])
		expect(documentationUrl).toBe(guide);
});
