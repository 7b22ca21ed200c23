import { findProblems, type Release } from '../../scripts/release/checks';
import { textOf } from './support/pages';

const ready: Release = {
	tag: 'v1.2.3',
	version: '1.2.3',
	changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n',
	texts: new Map([['package.json', '{"author":{"email":"someone@example.com"}}']]),
};

test('A release is ready if tag, version and changelog agree and no placeholder is left.', () => {
	expect(findProblems(ready)).toEqual([]);
	expect(findProblems({ ...ready, tag: undefined })).toEqual([]);
});

const unnamed = { changelog: '# Changelog\n\n## [Unreleased]\n' };
const texts = new Map([['LICENSE', '(c) n8n-nodes-customer-messaging maintainers']]);
const early = new Map([['README.md', 'It is not on npm yet. Build it in a clone.']]);
const unmoved = {
	changelog: '# Changelog\n\n## [Unreleased]\n\n- A fix.\n\n## [1.2.3] - 2026-01-31\n',
};

test.each<[Partial<Release>, string]>([
	[{ tag: 'v1.2.4' }, 'The tag is v1.2.4, but package.json has the version 1.2.3.'],
	[unnamed, 'CHANGELOG.md has no section "## [1.2.3] - <date>".'],
	[{ texts }, 'LICENSE still holds a placeholder for the author.'],
	[{ texts: early }, 'README.md still says "not on npm yet".'],
	[unmoved, 'CHANGELOG.md still has entries under "Unreleased".'],
])('%o keeps a release from being published', (change, problem) => {
	expect(findProblems({ ...ready, ...change })).toEqual([problem]);
});

test('Of the jobs, only the one that publishes has the right to, and it runs nothing of the project.', () => {
	const jobs = textOf('.github/workflows/publish.yml').split(/\n\n(?=(?: {2}#.*\n)* {2}[\w-]+:\n)/);
	const publishing = jobs.filter((job) => job.includes('id-token'));
	expect(jobs.length).toBe(4);
	expect(publishing.map((job) => job.match(/(?<=- (?:run|uses): )[^@\n]+/g))).toEqual([
		[
			'actions/download-artifact',
			'actions/setup-node',
			'echo "$SHA256  package.tgz" | sha256sum --check',
			'npm publish ./package.tgz --provenance --access public --ignore-scripts',
		],
	]);
});
