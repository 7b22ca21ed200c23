import * as order from '../../support/orders';
import { secrets } from '../support/bench';
import { type Group, inAdditional, inCredential, inField, refusedAt } from '../support/places';

/** Addresses that lead to another host, are not encrypted, or do not lead where they seem to. */
export const hosts: Group[] = [
	refusedAt(inCredential('pushUrl'), {
		'http to another machine': ['http://10.0.0.5', 'http://[fe80::1]', 'http://0.0.0.0:8080'],
		'http to what is almost this one': ['http://127.0.0.1.a.de', 'http://evil.example.localhost'],
		'no address of the internet': ['https://::1', 'https://[fe80::1%25eth0]', 'https://256.1.1.1'],
		'a user': ['https://admin@a.example', 'https://:@a.example', 'https://a.de%40@evil.example'],
		'a backslash': ['https://a.example\\@evil.example'],
		'no scheme or no host': ['a.example', '//a.example', 'https:a.example', 'https:///a.example'],
		'a port that is none': ['https://a.example:65536', 'https://a.example:https'],
		'a sign in the host': ['https://push%20.example.com', 'https://a.de%2fevil.example'],
		'what is not seen in the host': ['https://a.exa\nmple.com', 'https://a\u200d.example.com'],
		'letters of another script': ['https://рush.example.com', 'https://push。example.com'],
		'a placeholder left in': ['https://{push_url}', '={{ $vars.push }}'],
		'no text': [['https://a.example'], { href: 'https://a.example' }, true],
	}),
];

const past = (...paths: string[]) => paths.map((path) => `/api/v1/${path}`);

export const paths: Group[] = [
	refusedAt(inField(order.customPost, 'path'), {
		climbing: ['/api/v1/../../admin', '/api/v1/..', '/api/./v1/event'],
		encoded: past('%2e%2e/admin', '..%2fadmin', 'event%0d%0aX-Evil:1', 'web/%62roadcast/all'),
		'slashes beside each other': ['//evil.example/api', '/api//v1/event', '\\evil.example\\api'],
		'an absolute address': ['https://evil.example/api', 'HTTPS://EVIL.EXAMPLE/api', 'https:evil'],
		'no slash in front': ['@evil.example/api', '.evil.example/api', ':8443/api', '#@evil.example/'],
		'a sign': past('event#x', 'event\r\nX-Evil: 1', 'event\0', 'my event', 'web/broadcast;x'),
		'no text': ['', 42, ['/api/v1/event'], true],
		'a broadcast': past('web/broadcast/all', 'EMAIL/Broadcast/all', 'sms/broadcast/?segment_id=1'),
		'a broadcast elsewhere': ['/index.php/api/v1/email/broadcast', '/api/v2/ios/broadcast.json'],
		'a broadcast in the query': ['/index.php?route=web/broadcast/all'],
	}),
	refusedAt(inCredential('eventPath', { customPaths: true }), {
		'another place': ['/api/v1/../../admin', '//evil.example/api', 'https://evil.example/api'],
		'a line break or a broadcast': ['/api/v1/event\r\nX-Evil: 1', '/api/v1/web/broadcast/all'],
		'a list': [['/api/v1/event']],
	}),
];

const { apiKey, accessToken } = secrets;

/** Values that would end the header they are put into, or that no header can contain. */
export const headers: Group[] = [
	refusedAt(inCredential('apiKey'), {
		'a line break': [`${apiKey}\r\nX-Evil: 1`, `${apiKey}\nX-Evil: 1`, `${apiKey}\rX-Evil: 1`],
		'a control character or a space': [`${apiKey}\0`, `my ${apiKey}`, `my\u00a0${apiKey}`],
		'a letter whose low byte is a line feed': [`${apiKey}\u010aX-Evil: 1`],
		'no text': ['', null, [apiKey], { key: apiKey }, true, 12345678901234567890],
	}),
	refusedAt(inCredential('accessToken'), {
		'more than a token': [`Bearer ${accessToken}`, `${accessToken}, Basic eDp5`],
		'no text': ['', { access_token: accessToken }],
	}),
	refusedAt(inCredential('brandId'), {
		'what no header can contain': ['brand\r\nx-api-key: other', 'my brand', 'бренд', ' \n '],
	}),
];

const refusedSchemes =
	'javascript vbscript data blob file filesystem content jar resource about chrome view-source ftp ws wss';

const noAddress = {
	'a user': ['https://user:hunter2@example.com', 'https://example.com@evil.example/offer'],
	'no host, or a port that is too large': ['https:///example.com', 'https://example.com:65536'],
	'a line break': ['https://example.com/\r\nSet-Cookie: a=b', 'https://example.com/a\u2028b'],
	'a backslash or no scheme': ['https://exam\\ple.com', 'example.com'],
	'a mark of direction or a joiner': ['https://example.com/\u202ea', 'https://exam\u200dple.com/'],
};

export const links: Group[] = [
	refusedAt(inField(order.pushSend, 'url'), {
		'a scheme that no tap may open': refusedSchemes.split(' ').map((scheme) => `${scheme}://x`),
		'a scheme behind something': [' javascript://x', '\u0001javascript://x', 'tel:javascript:x'],
		...noAddress,
	}),
	refusedAt(inAdditional(order.pushSend, 'image_url'), {
		'an image inside the link': ['data:image/svg+xml,<svg onload="alert(1)"/>'],
		...noAddress,
	}),
];
