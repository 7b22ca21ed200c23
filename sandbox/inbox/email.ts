const head = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light"><title>Email</title>
<style>a[data-href] { color: #1a4fb4; text-decoration: underline }</style>`;

/** The content of an email as a document; served with `emailHeaders` only. */
export function emailDocument(content: string): string {
	if (/<[a-z!][^>]*>/i.test(content)) return head + deadened(content);
	return `${head}<body style="font: 15px/1.5 system-ui, sans-serif; white-space: pre-wrap">${escaped(content)}`;
}

/**
 * Links that are none and frames that are none. The headers forbid where they lead already, but a
 * browser connects before it asks them. Names of tags and attributes have no other spelling, so that
 * none is missed; where the same letters are mere text, they change too.
 */
function deadened(html: string): string {
	return html
		.replace(/<(\/?)(?=(i?frame|object|embed)\b)/gi, '<$1blocked-')
		.replace(/\bhref(?=\s*=)/gi, 'data-href');
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
