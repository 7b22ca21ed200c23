import * as order from '../../support/orders';
import {
	behindSwitch,
	type Group,
	inAdditional,
	inCredential,
	inField,
	refusedAt,
} from '../support/places';
import { secrets } from '../support/bench';

/** Addresses that lead to another host, are not encrypted, or do not lead where they seem to. */
export const hosts: Group[] = [
	refusedAt(inCredential('pushUrl'), {
		'http to another machine': ['http://a.example', 'http://10.0.0.5', 'http://[fe80::1]'],
		'http to what begins like this machine': [
			'http://localhost.a.example',
			'http://127.0.0.1.a.de',
		],
		'http to what is almost this machine': ['http://localhost.', 'http://evil.example.localhost'],
		'http to all interfaces': ['http://0.0.0.0:8080', 'http://0/', 'http://[::]:80'],
		"http to a cloud's metadata": ['http://169.254.169.254/latest/meta-data'],
		'http to numbers in another form': ['http://167772165', 'http://[::ffff:127.0.0.1]'],
		'an IPv6 address in another form': ['https://::1', 'https://[fe80::1%25eth0]', 'https://[::1'],
		'a number that is no address': ['https://1.2.3.4.5', 'https://256.256.256.256'],
		'a user': ['https://admin@a.example', 'https://:hunter2@a.example'],
		'no user, but its at sign': ['https://@a.example', 'https://:@a.example'],
		'a good host as user': [
			'https://a.example@evil.example',
			'https://a.example:443@evil.example',
			'https://a.example%40@evil.example',
			'https://a.example\\@evil.example',
		],
		'another scheme': ['wss://a.example', 'gopher://a.example:70/_x', 'file:///etc'],
		'a scheme before the scheme': ['blob:https://a.example/1', 'http+unix://%2Fdocker.sock'],
		'a scheme without a host': ['data:text/plain,x', 'javascript:fetch(1)', 'https://'],
		'no scheme': ['a.example', '//a.example', '*://a.example'],
		'too few or too many slashes': ['https:a.example', 'https:///a.example'],
		'two schemes': ['https://https://a.example'],
		'a port that is none': ['https://a.example:65536', 'https://a.example:-1'],
		'a port in words': ['https://a.example:https'],
		'a space in the host': ['https://push .example.com', 'https://push%20.example.com'],
		'an encoded slash or dot': [
			'https://a.example%2fevil.example',
			'https://a.example%2eb.example',
		],
		'a sign in the host': ['https://push<.example.com', 'https://*.example.com'],
		'a line break or tab in the host': ['https://push.exa\nmple.com', 'https://push\t.example.com'],
		'letters that cannot be seen': ['https://push\u200d.example.com', 'https://pu\u00adsh.example'],
		'letters of another script': ['https://рush.example.com', 'https://ｐｕｓｈ.example.com'],
		'an ideographic full stop': ['https://push。example.com'],
		'a placeholder left in': ['https://{push_url}', '={{ $vars.push }}'],
		'no text': [['https://a.example'], { href: 'https://a.example' }, true],
	}),
	refusedAt(inCredential('baseUrl', order.createUser), {
		nothing: ['', ' \t\n ', null],
		'a brand ID in its place': ['4711'],
	}),
	refusedAt(inCredential('mailUrl', order.smsSend), {
		'a mail address': ['mailto:news@example.com'],
		'another service': ['smtp://mail.example.com:25', '\\\\mail.example.com\\share'],
	}),
];

const broadcastPast = (...paths: string[]) => paths.map((path) => `/api/v1/${path}`);

export const paths: Group[] = [
	refusedAt(inField(order.customPost, 'path'), {
		climbing: ['/api/v1/../../admin', '/api/v1/..', '/api/./v1/event', '/api/v1/..;/admin'],
		'climbing, encoded': ['/api/v1/%2e%2e/admin', '/api/v1/.%2E/admin', '/api/v1/%252e%252e/admin'],
		'climbing in too many bytes': ['/api/v1/%c0%ae%c0%ae/admin'],
		'an encoded slash': ['/api/v1/..%2fadmin', '/api/v1/..%5Cadmin'],
		'slashes beside each other': ['//evil.example/api', '///evil.example/api', '/api//v1/event'],
		'a backslash': ['\\evil.example\\api', '/\\evil.example/api'],
		'an absolute address': ['https://evil.example/api', 'HTTPS://EVIL.EXAMPLE/api', 'https:evil'],
		'an at sign': ['@evil.example/api', '/@evil.example/api', '/%40evil.example/api'],
		'no slash in front': [':pw@evil.example/api', '.evil.example/api', ':8443/api', '?q=1'],
		'a hash': ['#@evil.example/', '/api/v1/event#x', '/api/v1/event%23x'],
		'a line break': ['/api/v1/event\r\nX-Evil: 1', '/api HTTP/1.1\r\nHost: a\r\n\r\nGET /'],
		'an encoded line break': ['/api/v1/event%0d%0aX-Evil:1', '/api/v1/event?x=%0d%0aX-Evil:1'],
		'a null character': ['/api/v1/event\0', '/api/v1/event%00.json', '/api/v1/event?x=%00'],
		'a space': ['/api/v1/my event', '/api/v1/\tevent', '/api/v1/my\u00a0event'],
		'what cannot be seen': ['/api/v1/\u202etneve', '/api/v1/event\u2028/x', '/api/v1/\ud83d'],
		'full-width characters': ['/api／v1', '/api/．．/admin'],
		'a sign': ['/api/v1/"event"', '/api/v1/<event>', '/api/v1/{id}', '/api/v1/[id]', '/api/a|b'],
		'an escape of something else': ['/api/v1/%zz', '/api/v1/event%3fa=1'],
		'no text': ['', 42, ['/api/v1/event'], true],
		'100,000 characters': [`/api/${'a'.repeat(100_000)}`],
		'a broadcast past its guards': [
			...broadcastPast('web/broadcast/all', 'EMAIL/Broadcast/all', 'sms/broadcast/?segment_id=1'),
			...broadcastPast('web/broadcast./all', 'ios/broadcast.json', 'web/broadcast;x=1/all'),
			...broadcastPast('web/broadcast,all', 'web/%62roadcast/all', '%77eb/broadcast/all'),
		],
		'a broadcast elsewhere': ['/a/api/v1/web/broadcast/all', '/index.php/api/v1/email/broadcast'],
		'a broadcast of another version': ['/api/sms/broadcast/segment', '/api/v2/ios/broadcast/all'],
		'a broadcast in the query': ['/index.php?route=web/broadcast/all'],
		'a broadcast in other letters': [
			...broadcastPast('web/broadca%C5%BFt/all', 'web/broadca%EF%BD%93t/all'),
			...broadcastPast('web/br%D0%BEadcast/all', 'web/broad%E3%85%A4cast/all'),
		],
	}),
	refusedAt(behindSwitch('eventPath', 'customPaths'), {
		'another place': ['/api/v1/../../admin', '//evil.example/api', 'https://evil.example/api'],
		'a line break and a header': ['/api/v1/event\r\nX-Evil: 1'],
		'a broadcast past its guards': ['/api/v1/web/broadcast/all'],
		'a list': [['/api/v1/event']],
	}),
];

const { apiKey, accessToken } = secrets;

/** Values that would end the header they are put into, or that no header can contain. */
export const headers: Group[] = [
	refusedAt(inCredential('apiKey'), {
		'a line break': ['\r\nX-Evil: 1', '\nX-Evil: 1', '\r\n\r\n{}'].map((end) => apiKey + end),
		'a carriage return alone': [`${apiKey}\rX-Evil: 1`],
		'a control character': [`${apiKey}\0`, `\u001b[31m${apiKey}`, `${apiKey}\u007f`],
		'a space inside': [`my ${apiKey}`, `my\t${apiKey}`, `my\u00a0${apiKey}`],
		'a line separator': [`${apiKey}\u2028X-Evil: 1`],
		'a letter whose low byte is a line feed': [`${apiKey}\u010aX-Evil: 1`],
		'what cannot be seen': [`${apiKey}\u200b`, `my\ufeff${apiKey}`],
		'other letters': [`${apiKey}ｋｅｙ`, `${apiKey}🔑`, `${apiKey}\ud83d`],
		'dots in the middle, as copied from a masked field': [`${apiKey.slice(0, 3)}••••`],
		'no text': ['', null, [apiKey], { key: apiKey }, true, 12345678901234567890],
	}),
	refusedAt(inCredential('accessToken'), {
		'the scheme before it': [`Bearer ${accessToken}`],
		'more than a token': [`${accessToken}\r\nx-api-key: other`, `${accessToken}, Basic eDp5`],
		'a null character': [`${accessToken}\0`],
		'no text': ['', { access_token: accessToken }],
	}),
	refusedAt(inCredential('brandId'), {
		'a line break': ['brand\r\nx-api-key: other', 'brand\r\n\r\nPOST /api/v1/web/broadcast/all'],
		'what no header can contain': ['my brand', 'бренд', ' \n '],
	}),
];

export const links: Group[] = [
	refusedAt(inField(order.pushSend, 'url'), {
		javascript: [
			' javascript://alert(1)',
			'java\nscript://alert(1)',
			'javascript&colon;//alert(1)',
		],
		'a scheme of code': ['javascript://alert(1)', 'filesystem://a.example/x'],
		'javascript behind something': ['\u0001javascript://alert(1)', 'tel:javascript:alert(1)'],
		'a scheme that runs code': ['jar://example.com!/x', 'vbscript://x', 'resource://x'],
		'markup in the link': ['data:text/html;base64,PHNjcmlwdD4=', 'data://text/html,x'],
		'a file': ['file://evil.example/share', 'filesystem:https://a.example/x', 'ftp://a.example'],
		'content of the device': ['content://com.android.contacts/1', 'blob://https://example.com/1'],
		'a web socket': ['ws://example.com', 'wss://example.com'],
		"a browser's own page": ['about:blank', 'about://blank', 'chrome://settings'],
		'the source of a page': ['view-source:javascript:alert(1)', 'view-source://example.com'],
		'no address or number': ['mailto:', 'tel:*#06#', 'tel:CALL-NOW'],
		'a user': ['https://user:hunter2@example.com', 'https://example.com@evil.example/offer'],
		'a backslash': ['https://example.com\\@evil.example'],
		'what cannot be seen': ['https://example.com/\u202egpj.exe', 'https://example.com/\0'],
		'a line break and a header': ['https://example.com/\r\nSet-Cookie: a=b'],
	}),
	refusedAt(inAdditional(order.pushSend, 'image_url'), {
		'an image inside the link': ['data:image/svg+xml,<svg onload="alert(1)"/>'],
	}),
];
