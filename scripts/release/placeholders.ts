/** The placeholders for details of the owner, who is not known yet. */
const placeholders: Readonly<Record<string, RegExp>> = {
	'the repository': /example\.com\/n8n-nodes-customer-messaging/,
	'the address for reports': /There is no address for reports yet|have no address of their own yet/,
	'the author': /n8n-nodes-customer-messaging maintainers/,
	'the email address': /maintainers@example\.com/,
};

/** What pages say that is true only until the first release. */
const unpublished =
	/not on npm yet|not published yet|once the package is published|no public place for questions yet/i;

/** Files that name these words in order to find or explain them. */
const EXPLAINING =
	/^(scripts\/release|test|docs\/contributing|sandbox|bench|simulation)\/|^CONTRIBUTING\.md$/;

function ofPackage(texts: ReadonlyMap<string, string>): Array<[file: string, text: string]> {
	return [...texts].filter(([file]) => !EXPLAINING.test(file));
}

/** The files that still contain placeholders, each with the names of what to replace. */
export function findPlaceholders(texts: ReadonlyMap<string, string>): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [file, text] of ofPackage(texts)) {
		const held = Object.entries(placeholders)
			.filter(([, pattern]) => pattern.test(text))
			.map(([what]) => what);
		if (held.length > 0) found.set(file, held);
	}
	return found;
}

/** The files that say that the package is not published, each with its words. */
export function findUnpublished(texts: ReadonlyMap<string, string>): Array<[string, string]> {
	return ofPackage(texts).flatMap(([file, text]): Array<[string, string]> => {
		const [words] = unpublished.exec(text) ?? [];
		return words === undefined ? [] : [[file, words]];
	});
}
