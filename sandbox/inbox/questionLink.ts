import { toText } from '../json';
import { isObject } from '../terms';

/** A signed address of this machine. No other host is ever opened. */
const localAddress =
	/http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(\/[\w./-]+)\?[\w=&;]*signature=[0-9a-f]+/g;

/**
 * Finds the link by which a message asks for an answer: the URL of a push, or a part of the text of an SMS
 * or an email. It leads to the n8n of `npm start`, and so it may be opened from the inbox.
 */
export function questionLink(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const [found] = [body.url, body.message, body.content].flatMap((value) =>
		[...toText(value).matchAll(localAddress)].filter(([, path = '']) =>
			/\/webhook-waiting\/[\w-]/.test(path),
		),
	);
	return found?.[0].replaceAll('&amp;', '&');
}
