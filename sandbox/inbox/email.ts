const head = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light"><title>Email</title>
<style>
/* Without weight, so that every colour of the email itself counts. */
:where(a[data-href]) { color: #1a4fb4; text-decoration: underline }
</style>`;

/** The content of an email as a document, as a mail program reads it; served with `emailHeaders` only. */
export function emailDocument(content: string): string {
	return head + deadened(content);
}

/**
 * Disables links and frames. The headers forbid their targets already, but a browser may connect to
 * them before it looks at the headers. Names of tags and attributes have no other spelling, so none is
 * missed. The same letters in plain text change too.
 */
function deadened(html: string): string {
	return html
		.replace(/<(\/?)(?=(i?frame|object|embed)\b)/gi, '<$1blocked-')
		.replace(/\bhref(?=\s*=)/gi, 'data-href');
}
