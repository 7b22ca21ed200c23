import { toText } from '../json';
import { isObject } from '../terms';

/** The link of an n8n on this machine to the page of a question. No other host is ever opened. */
const link =
	/http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/(?:[\w./-]*\/)?webhook-waiting\/[\w/-]+\?[\w=&;]*signature=[0-9a-f]+/;

/**
 * Finds the link by which a message asks for an answer: the URL of a push, or a part of the text of an SMS
 * or an email. It leads to the n8n of `npm start`, and so it may be opened from the inbox.
 */
export function questionLink(body: unknown): string | undefined {
	if (!isObject(body)) return undefined;
	const [found] = [body.url, body.message, body.content].flatMap((value) => {
		const [one] = link.exec(toText(value)) ?? [];
		return one === undefined ? [] : [one.replaceAll('&amp;', '&')];
	});
	return found;
}
