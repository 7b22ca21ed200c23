/** The placeholders for details of the owner, who is not known yet. */
const placeholders: Readonly<Record<string, RegExp>> = {
	'the repository': /example\.com\/n8n-nodes-customer-messaging/,
	'the address for reports': /There is no address for reports yet|have no address of their own yet/,
	'the author': /n8n-nodes-customer-messaging maintainers/,
	'the email address': /maintainers@example\.com/,
};

/** Files that name the placeholders in order to find or explain them. */
const EXPLAINING = /^(scripts\/release|test|docs|sandbox|bench|simulation)\/|^CONTRIBUTING\.md$/;

/** The files that still contain placeholders, each with the names of what to replace. */
export function findPlaceholders(texts: ReadonlyMap<string, string>): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const [file, text] of texts) {
		if (EXPLAINING.test(file)) continue;
		const held = Object.entries(placeholders)
			.filter(([, pattern]) => pattern.test(text))
			.map(([what]) => what);
		if (held.length > 0) found.set(file, held);
	}
	return found;
}
