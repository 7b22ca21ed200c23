/**
 * Prepares a text for the parts of n8n's editor that read HTML: the description of an error, and hints.
 * There, `Acme <news@acme.example>` would lose its address, and line breaks would become spaces.
 */
export function toEditorHtml(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\n/g, '<br>\n');
}
