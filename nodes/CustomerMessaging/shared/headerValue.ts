/** What a header can carry: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** A value of a credential without the spaces and line breaks that were copied along with it. */
export function trimmed(value: unknown): string {
	return String(value).trim();
}
