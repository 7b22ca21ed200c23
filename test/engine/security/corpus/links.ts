import * as order from '../../support/orders';
import { type Group, inAdditional, inField } from '../support/places';

export const refused: Group[] = [
	{
		place: inField(order.pushSend, 'url'),
		inputs: [
			['javascript behind a space', ' javascript://alert(1)'],
			['javascript with a line break inside', 'java\nscript://alert(1)'],
			['javascript behind a control character', '\u0001javascript://alert(1)'],
			['javascript with an entity', 'javascript&colon;//alert(1)'],
			['data with markup', 'data:text/html;base64,PHNjcmlwdD4='],
			['a blob', 'blob://https://example.com/1'],
			['a file on a share', 'file://evil.example/share'],
			['a web socket', 'ws://example.com'],
			['about', 'about:blank'],
			['view-source', 'view-source:javascript:alert(1)'],
			['a mail link without an address', 'mailto:'],
			['a phone link to a service code', 'tel:*#06#'],
			['a phone link in words', 'tel:CALL-NOW'],
			['javascript behind a scheme', 'tel:javascript:alert(1)'],
			['a backslash', 'https://example.com\\@evil.example'],
			['a line break and a header', 'https://example.com/\r\nSet-Cookie: a=b'],
			['a script in a jar', 'jar:https://example.com!/x'],
			['a file system', 'filesystem:https://example.com/x'],
			['a password', 'https://user:hunter2@example.com'],
			['a good host as user name', 'https://example.com@evil.example/offer'],
			['content of the device', 'content://com.android.contacts/1'],
			['a null character', 'https://example.com/\0'],
			['a mark of reading direction', 'https://example.com/\u202egpj.exe'],
			["a browser's own page", 'chrome://settings'],
			['view-source with slashes', 'view-source://example.com'],
		],
	},
	{
		place: inAdditional(order.pushSend, 'image_url'),
		inputs: [['an image inside the link', 'data:image/svg+xml,<svg onload="alert(1)"/>']],
	},
];
