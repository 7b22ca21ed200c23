import * as order from '../../support/orders';
import { type Group, inAdditional, inCredential, inField, refusedAt } from '../support/places';
import { secrets } from '../support/bench';

/** Addresses that lead to another host, are not encrypted, or do not lead where they seem to. */
export const hosts: Group[] = [
	refusedAt(inCredential('pushUrl'), {
		'http to another machine': ['http://10.0.0.5', 'http://[fe80::1]', 'http://167772165'],
		'http to what begins like this one': ['http://localhost.a.example', 'http://127.0.0.1.a.de'],
		'http to what is almost this one': ['http://localhost.', 'http://evil.example.localhost'],
		'http to all interfaces': ['http://0.0.0.0:8080', 'http://[::]:80'],
		'an IPv6 address in another form': ['https://::1', 'https://[fe80::1%25eth0]', 'https://[::1'],
		'a number that is no address': ['https://256.256.256.256', 'http://[::ffff:127.0.0.1]'],
		'a user': ['https://admin@a.example', 'https://:hunter2@a.example', 'https://:@a.example'],
		'a good host as user': ['https://a.example:443@evil.example', 'https://a.de%40@evil.example'],
		'a backslash': ['https://a.example\\@evil.example'],
		'another scheme': ['wss://a.example', 'blob:https://a.example/1', 'http+unix://%2Fdocker.sock'],
		'a scheme without a host': ['data:text/plain,x', 'https://', 'https:///a.example'],
		'no scheme': ['a.example', '//a.example', '*://a.example', 'https:a.example'],
		'two schemes': ['https://https://a.example'],
		'a port that is none': ['https://a.example:65536', 'https://a.example:https'],
		'a space in the host': ['https://push .example.com', 'https://push%20.example.com'],
		'an encoded slash or dot': ['https://a.de%2fevil.example', 'https://a.example%2eb.example'],
		'a sign in the host': ['https://push<.example.com', 'https://*.example.com'],
		'a line break or tab in the host': ['https://push.exa\nmple.com', 'https://push\t.example.com'],
		'letters that cannot be seen': ['https://push\u200d.example.com', 'https://pu\u00adsh.example'],
		'letters of another script': ['https://рush.example.com', 'https://push。example.com'],
		'a placeholder left in': ['https://{push_url}', '={{ $vars.push }}'],
		'no text': [['https://a.example'], { href: 'https://a.example' }, true],
	}),
];

const past = (...paths: string[]) => paths.map((path) => `/api/v1/${path}`);

export const paths: Group[] = [
	refusedAt(inField(order.customPost, 'path'), {
		climbing: ['/api/v1/../../admin', '/api/v1/..', '/api/./v1/event', '/api/v1/..;/admin'],
		'climbing, encoded': past('%2e%2e/admin', '.%2E/admin', '%252e%252e/admin', '%c0%ae%c0%ae/a'),
		'an encoded slash': past('..%2fadmin', '..%5Cadmin'),
		'slashes beside each other': ['//evil.example/api', '///evil.example/api', '/api//v1/event'],
		'a backslash': ['\\evil.example\\api', '/\\evil.example/api'],
		'an absolute address': ['https://evil.example/api', 'HTTPS://EVIL.EXAMPLE/api', 'https:evil'],
		'an at sign': ['@evil.example/api', '/@evil.example/api', '/%40evil.example/api'],
		'no slash in front': [':pw@evil.example/api', '.evil.example/api', ':8443/api', '?q=1'],
		'a hash': ['#@evil.example/', '/api/v1/event#x', '/api/v1/event%23x'],
		'a line break': ['/api/v1/event\r\nX-Evil: 1', ...past('event%0d%0aX-Evil:1', 'event?x=%0d')],
		'a null character': past('event\0', 'event%00.json', 'event?x=%00'),
		'a space': past('my event', '\tevent', 'my\u00a0event'),
		'what cannot be seen': past('\u202etneve', 'event\u2028/x', '\ud83d'),
		'full-width characters': ['/api／v1', '/api/．．/admin'],
		'a sign': past('"event"', '<event>', '{id}', '[id]', 'a|b'),
		'an escape of something else': past('%zz', 'event%3fa=1'),
		'no text': ['', 42, ['/api/v1/event'], true],
		'100,000 characters': [`/api/${'a'.repeat(100_000)}`],
		'a broadcast': past('web/broadcast/all', 'EMAIL/Broadcast/all', 'sms/broadcast/?segment_id=1'),
		'a broadcast and a sign': past('web/broadcast./all', 'ios/broadcast.json', 'web/broadcast;x=1'),
		'an encoded broadcast': past('web/broadcast,all', 'web/%62roadcast/all', '%77eb/broadcast/all'),
		'a broadcast elsewhere': ['/a/api/v1/web/broadcast/all', '/index.php/api/v1/email/broadcast'],
		'a broadcast of another version': ['/api/sms/broadcast/segment', '/api/v2/ios/broadcast/all'],
		'a broadcast in the query': ['/index.php?route=web/broadcast/all'],
		'a broadcast in look-alikes': past('web/broadca%C5%BFt/all', 'web/broadca%EF%BD%93t/all'),
		'a broadcast in other letters': past('web/br%D0%BEadcast', 'web/broad%E3%85%A4cast'),
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
		'a line break': ['\r\nX-Evil: 1', '\nX-Evil: 1', '\rX-Evil: 1'].map((end) => apiKey + end),
		'a control character': [`${apiKey}\0`, `${apiKey}\u007f`],
		'a space inside': [`my ${apiKey}`, `my\t${apiKey}`, `my\u00a0${apiKey}`],
		'a letter whose low byte is a line feed': [`${apiKey}\u010aX-Evil: 1`],
		'what cannot be seen': [`${apiKey}\u200b`, `my\ufeff${apiKey}`],
		'other letters': [`${apiKey}ｋｅｙ`, `${apiKey}\ud83d`, `${apiKey.slice(0, 3)}••••`],
		'no text': ['', null, [apiKey], { key: apiKey }, true, 12345678901234567890],
	}),
	refusedAt(inCredential('accessToken'), {
		'the scheme before it': [`Bearer ${accessToken}`],
		'more than a token': [`${accessToken}\r\nx-api-key: other`, `${accessToken}, Basic eDp5`],
		'no text': ['', { access_token: accessToken }],
	}),
	refusedAt(inCredential('brandId'), {
		'what no header can contain': ['brand\r\nx-api-key: other', 'my brand', 'бренд', ' \n '],
	}),
];

const refusedSchemes =
	'javascript vbscript data blob file filesystem content jar resource about chrome view-source ftp ws wss';

export const links: Group[] = [
	refusedAt(inField(order.pushSend, 'url'), {
		'a scheme that no tap may open': refusedSchemes.split(' ').map((scheme) => `${scheme}://x`),
		'a scheme behind something': [' javascript://x', '\u0001javascript://x', 'tel:javascript:x'],
		'a user': ['https://user:hunter2@example.com', 'https://example.com@evil.example/offer'],
		'a line break and a header': ['https://example.com/\r\nSet-Cookie: a=b'],
	}),
	refusedAt(inAdditional(order.pushSend, 'image_url'), {
		'an image inside the link': ['data:image/svg+xml,<svg onload="alert(1)"/>'],
	}),
];
