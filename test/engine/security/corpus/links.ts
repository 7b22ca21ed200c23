import * as order from '../../support/orders';
import { type Group, inAdditional, inField } from '../support/places';

export const refused: Group[] = [
	{
		place: inField(order.pushSend, 'url'),
		inputs: [
			['javascript', 'javascript:alert(document.cookie)'],
			['javascript in mixed case', 'jAvAsCrIpT://%0aalert(1)'],
			['javascript behind a space', ' javascript://alert(1)'],
			['javascript with a tab inside', 'java\tscript://alert(1)'],
			['javascript with a line break inside', 'java\nscript://alert(1)'],
			['javascript behind a control character', '\u0001javascript://alert(1)'],
			['javascript with an entity', 'javascript&colon;//alert(1)'],
			['vbscript', 'vbscript://msgbox(1)'],
			['data with markup', 'data:text/html;base64,PHNjcmlwdD4='],
			['data with slashes', 'data://text/html,<script>'],
			['a blob', 'blob://https://example.com/1'],
			['a file', 'file:///etc/passwd'],
			['a file on a share', 'file://evil.example/share'],
			['ftp', 'ftp://example.com/app.apk'],
			['a web socket', 'ws://example.com'],
			['about', 'about:blank'],
			['view-source', 'view-source:javascript:alert(1)'],
			['a mail link without an address', 'mailto:'],
			['a phone link to a service code', 'tel:*#06#'],
			['a phone link in words', 'tel:CALL-NOW'],
			['a host and port without a scheme', 'localhost:3000/offer'],
			['javascript behind a scheme', 'tel:javascript:alert(1)'],
			['no scheme', 'example.com/offer'],
			['slashes alone', '//evil.example'],
			['a backslash', 'https://example.com\\@evil.example'],
			['a space inside', 'https://example.com/a b'],
			['a line break and a header', 'https://example.com/\r\nSet-Cookie: a=b'],
			['a script in a jar', 'jar:https://example.com!/x'],
			['a file system', 'filesystem:https://example.com/x'],
			['an impossible port', 'https://example.com:70000'],
			['a list', ['https://example.com']],
			['not filled in', ''],
		],
	},
	{
		place: inAdditional(order.pushSend, 'image_url'),
		inputs: [
			['http', 'http://cdn.example.com/a.png'],
			['an image inside the link', 'data:image/svg+xml,<svg onload="alert(1)"/>'],
			["an app's own scheme", 'myapp://image'],
		],
	},
	{
		place: inAdditional(order.pushSend, 'button_two_url'),
		inputs: [
			['javascript', 'javascript://example.com/%0aalert(1)'],
			['no link', 'yes'],
		],
	},
	{
		place: inAdditional(order.pushSend, 'hero_image_url'),
		inputs: [['a file', 'file:///C:/a.png']],
	},
	{
		place: inField(order.pushSend, 'url'),
		inputs: [
			['a password', 'https://user:hunter2@example.com'],
			['a good host as user name', 'https://example.com@evil.example/offer'],
			['content of the device', 'content://com.android.contacts/1'],
			['a null character', 'https://example.com/\0'],
			['a mark of reading direction', 'https://example.com/\u202egpj.exe'],
			["a browser's own page", 'chrome://settings'],
			['no host', 'https:///offer'],
			['view-source with slashes', 'view-source://example.com'],
		],
	},
];
