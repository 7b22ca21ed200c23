import { z } from 'zod/v3';

import { parseUrl, suggest } from '../fields/link';
import { trimmedText } from '../fields/text';
import { broadcastPathProblem, pathProblem } from '../operations/customPath';
import { quote } from '../shared/formatting';
import { headerValue } from '../shared/headerValue';

/** Scheme, host and port in their plain form, so that the URL parser has nothing to reinterpret. */
const plainAddress =
	/^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d+)?([/?#]|$)/i;

/** The origin of an HTTPS address, or of an HTTP address on this machine. Any path is dropped. */
export function origin(label: string) {
	return trimmedText(label).transform((written, context) => {
		const url = plainAddress.test(written) ? parseUrl(written) : undefined;
		if (url && (url.protocol === 'https:' || isLoopback(url))) return url.origin;
		const meant = suggest(written);
		context.addIssue({
			code: 'custom',
			// Do not quote an address that may contain a password.
			message: `${label}${written.includes('@') ? '' : ` ${quote(written)}`} cannot be used. Enter an https:// address${meant ? `. Did you mean ${meant}?` : ' such as https://api.example.com, without a user name'}`,
		});
		return z.NEVER;
	});
}

/** A header value: visible ASCII without spaces, so that it cannot add header lines. */
export function visibleAscii(label: string) {
	const rule = `${label} contains a space or a character that cannot be sent, or it is too long for a header. Copy it again`;
	return trimmedText(label).pipe(z.string().regex(headerValue, rule));
}

/** A path that is not one of a broadcast. */
export const path = checkedPath(pathProblem);

/** A path of a broadcast. */
export const broadcastPath = checkedPath(broadcastPathProblem);

function checkedPath(problemOf: (path: string, label: string) => string | undefined) {
	return (label: string) =>
		trimmedText(label).superRefine((written, context) => {
			const message = problemOf(written, label);
			if (message) context.addIssue({ code: 'custom', message });
		});
}

/** Whether only this machine can open an address. */
export function isLoopback({ hostname }: URL): boolean {
	return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
