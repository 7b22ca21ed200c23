import { type Tested } from '../n8n/testedVersions';

/** The pages that name the versions in which the package was tested. */
export const pagesWithVersions = ['README.md', 'docs/administration.md'];

const MARKED = /(<!--tested-->)[^]*?(<!--\/tested-->)/;

/** Writes into a page in which versions of n8n the package was tested. */
export function withVersions(page: string, tested: Tested): string {
	if (!MARKED.test(page)) throw new Error('The page has no place for the tested versions');
	return page.replace(MARKED, (_, start, end) => `${start}${tell(tested)}${end}`);
}

function tell(tested: Tested): string {
	const versions = Object.keys(tested);
	const newest = versions.at(-1) ?? '';
	const day = new Date(tested[newest] ?? '').toLocaleDateString('en-GB', {
		dateStyle: 'long',
		timeZone: 'UTC',
	});
	const list = new Intl.ListFormat('en-GB').format(versions);
	return `${list}, the newest that could be installed here on ${day}`;
}
