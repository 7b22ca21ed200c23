import * as order from './support/orders';
import { absent, itRefuses } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();

const family = '👨‍👩‍👧‍👦';
const accented = 'e\u0301\u0323';
const flag = '🇮🇳';
const skinTone = '👍🏽';

/** Texts with more characters than `most`, as a person counts them. */
const tooLong = (most: number): Array<[string, string]> => [
	['one letter too many', 'x'.repeat(most + 1)],
	['one emoji too many', '😀'.repeat(most + 1)],
	['one family too many', family.repeat(most + 1)],
	['one flag too many', flag.repeat(most + 1)],
	['one skin tone too many', skinTone.repeat(most + 1)],
	['one accented letter too many', accented.repeat(most + 1)],
	['one space too many at the end', `${'x'.repeat(most)} `],
	['far too many', 'long text '.repeat(100)],
];

describe.each([
	['push send', order.pushSend],
	['push broadcastAll', { ...order.pushToAll, maxBroadcasts: 50 }],
	['push broadcastSegment', { ...order.pushToSegment, maxBroadcasts: 50 }],
])('%s', (_, parameters) => {
	describe.each([
		['title', 70],
		['message', 130],
	])('%s of at most %d characters', (field, most) => {
		describe.each(['android', 'ios'])('on %s', (platform) => {
			itRefuses(sandbox, {
				field,
				parameters: { ...parameters, platforms: [platform] },
				good: 'x'.repeat(most),
				bad: tooLong(most),
			});
		});
	});
});

/** No link at all, or one whose scheme runs code or reads files. */
const noLink: Array<[string, unknown]> = [
	['a word', 'shop'],
	['no scheme', 'example.com/page'],
	['no scheme but a port', 'example.com:8080'],
	['no scheme but slashes', '//example.com/page'],
	['a path', '/page'],
	['javascript:', 'javascript:alert(1)'],
	['javascript: in capitals', 'JavaScript:alert(1)'],
	['javascript: with slashes', 'javascript://example.com/%0aalert(1)'],
	['javascript: behind a tab', 'java\tscript://alert(1)'],
	['data:', 'data:text/html,<script>alert(1)</script>'],
	['data: with slashes', 'data://text/html,x'],
	['vbscript:', 'vbscript:msgbox(1)'],
	['file:', 'file:///etc/passwd'],
	['ftp:', 'ftp://example.com/file'],
	['a space inside', 'https://example.com/a b'],
	['a line break inside', 'https://example.com/a\nb'],
	['a space in the host', 'https://exa mple.com/'],
	['a backslash', 'https:\\\\example.com\\page'],
	['a scheme alone', 'https://'],
	['no host', 'https:///'],
	['one slash', 'https:/example.com'],
	['an impossible port', 'https://example.com:99999/'],
	['a number', 42],
	['a list', ['https://example.com']],
	['an object', { href: 'https://example.com' }],
];

describe('url', () => {
	itRefuses(sandbox, {
		field: 'url',
		parameters: order.pushSend,
		good: 'https://example.com/p?a=1#b',
		bad: noLink,
	});
});

describe('button_two_url', () => {
	itRefuses(sandbox, {
		field: 'button_two_url',
		isAdditional: true,
		parameters: order.pushSend,
		good: 'https://example.com',
		bad: noLink,
	});
});

describe.each(['image_url', 'hero_image_url'])('%s', (field) => {
	itRefuses(sandbox, {
		field,
		isAdditional: true,
		parameters: order.pushSend,
		good: 'https://cdn.example.com/a.png',
		bad: [
			['http:', 'http://cdn.example.com/a.png'],
			['http: on this machine', 'http://localhost/a.png'],
			["an app's own link", 'myapp://images/1'],
			...noLink,
		],
	});
});

describe('platforms', () => {
	itRefuses(sandbox, {
		field: 'platforms',
		parameters: order.pushSend,
		good: ['web'],
		bad: [
			['none', []],
			['null', null],
			['absent', absent],
			['empty', ''],
			['an unknown one', ['windows']],
			['an unknown one beside a known', ['web', 'windows']],
			['capitals', ['Android']],
			['several in one text', 'web,android'],
			['an empty one beside a known', ['web', '']],
			['an object', { web: true }],
			['a number', 7],
			['a list in a list', [['web']]],
		],
	});
});

describe('recipientBy', () => {
	itRefuses(sandbox, {
		field: 'recipientBy',
		parameters: {
			...order.pushSend,
			subscription_id: 's-1',
			// If an expression chooses the kind of recipient, n8n requires the fields of every kind.
			...{ email: 'a@example.com', mobile: '+919812345679', campaign_id: 'c-1' },
		},
		good: 'user_id',
		bad: [
			["another resource's", 'email'],
			['unknown', 'userID'],
			['empty', ''],
			['null', null],
			['absent', absent],
			['a list', ['user_id', 'subscription_id']],
			['an object', { by: 'user_id' }],
			['the prototype', '__proto__'],
		],
	});
});

describe.each(['android_id', 'ios_ifv', 'tag', 'button_one_title', 'button_two_title'])(
	'%s',
	(field) => {
		itRefuses(sandbox, {
			field,
			isAdditional: true,
			parameters: order.pushSend,
			good: 'x',
			bad: [
				['an object', { id: 'x' }],
				['a list', ['x']],
				['true', true],
				['too large a number', 2 ** 53],
				['spaces', '   '],
			],
		});
	},
);
