const head = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light"><title>Email</title>
<style>a[data-href] { color: #1a4fb4; text-decoration: underline }</style>`;

/** The content of an email as a document; served with `emailHeaders` only. */
export function emailDocument(content: string): string {
	if (isHtml(content)) return head + deadened(content);
	return `${head}<body style="font: 15px/1.5 system-ui, sans-serif; white-space: pre-wrap">${escaped(content)}`;
}

/** Whether it has at least one tag. One regular expression for both ends of it would take quadratic time. */
function isHtml(content: string): boolean {
	const start = content.search(/<[a-z!]/i);
	return start >= 0 && content.indexOf('>', start) >= 0;
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

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
