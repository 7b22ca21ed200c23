import { findPlaceholders, findUnpublished } from './placeholders';

export interface Release {
	/** The tag that starts the release, such as `v1.2.3`. Absent in a dry run. */
	tag?: string;
	/** The version in package.json. */
	version: string;
	changelog: string;
	/** The repository's text files, by path. */
	texts: ReadonlyMap<string, string>;
}

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** What keeps a release from being published, one sentence each. */
export function findProblems({ tag, version, changelog, texts }: Release): string[] {
	const problems: string[] = [];
	if (!VERSION.test(version)) problems.push(`package.json has the version ${version}.`);
	if (tag !== undefined && tag !== `v${version}`)
		problems.push(`The tag is ${tag}, but package.json has the version ${version}.`);
	if (!changelog.includes(`\n## [${version}] - `))
		problems.push(`CHANGELOG.md has no section "## [${version}] - <date>".`);
	// The changelog is in the package.
	if (/^## \[Unreleased\]\s+(?!## |$)\S/m.test(changelog))
		problems.push('CHANGELOG.md still has entries under "Unreleased".');
	for (const [file, held] of findPlaceholders(texts))
		problems.push(`${file} still holds a placeholder for ${held.join(', ')}.`);
	for (const [file, words] of findUnpublished(texts))
		problems.push(`${file} still says "${words}".`);
	return problems;
}
