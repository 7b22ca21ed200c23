export function code(text: string): string {
	return `\`${text}\``;
}

/** `a, b and c` */
export function list(names: readonly string[]): string {
	const last = names.at(-1) ?? '';
	return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Without the markup that the editor shows. */
export function plain(text: string): string {
	return text.replace(/<[^>]+>/g, '');
}
