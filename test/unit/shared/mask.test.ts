import fc from 'fast-check';

import {
	createMask,
	masked,
	maskOutcome,
	maxDepth,
	tooDeep,
} from '../../../nodes/CustomerMessaging/shared/mask';
import type { Outcome } from '../../../nodes/CustomerMessaging/shared/outcome';

const number = '20250117';
/** Every character that some form writes in another way. */
const awkward = '"<a&b>\'/\\c%41+;=d`{|}~ef';

const codeOf = (character: string) => character.charCodeAt(0);
const hex = (character: string, digits = 2) => codeOf(character).toString(16).padStart(digits, '0');
const everyCharacter = (text: string, write: (character: string) => string) =>
	[...text].map(write).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const jsonEscaped = (text: string) => JSON.stringify(text).slice(1, -1);
const entities: Record<string, string> = {
	'"': '&quot;',
	'&': '&amp;',
	"'": '&#39;',
	'<': '&lt;',
	'>': '&gt;',
};
const htmlEscaped = (text: string) => everyCharacter(text, (one) => entities[one] ?? one);
const namedEntities: Record<string, string> = {
	'"': '&quot;',
	'<': '&lt;',
	'&': '&amp;',
	'>': '&gt;',
	"'": '&apos;',
	'/': '&sol;',
	'\\': '&bsol;',
	'%': '&percnt;',
	'+': '&plus;',
	';': '&semi;',
	'=': '&equals;',
	'`': '&grave;',
	'{': '&lcub;',
	'|': '&vert;',
	'}': '&rcub;',
};

/** The ways in which a whole text is written; the names complete "masks a secret that is …". */
const ways: Array<[string, (text: string) => string]> = [
	['plain', (text) => text],
	['encoded for a URL', encodeURIComponent],
	[
		'encoded for a URL, in small letters',
		(text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
	],
	['percent-encoded in every character', (text) => everyCharacter(text, (one) => `%${hex(one)}`)],
	[
		'percent-encoded in every other character',
		(text) =>
			[...text].map((one, index) => (index % 2 ? one : `%${hex(one).toUpperCase()}`)).join(''),
	],
	['encoded for a URL twice', (text) => encodeURIComponent(encodeURIComponent(text))],
	['escaped for HTML', htmlEscaped],
	['escaped for HTML twice', (text) => htmlEscaped(htmlEscaped(text))],
	['written in named entities', (text) => everyCharacter(text, (one) => namedEntities[one] ?? one)],
	['written in decimal entities', (text) => everyCharacter(text, (one) => `&#${codeOf(one)};`)],
	[
		'written in decimal entities with leading zeros',
		(text) => everyCharacter(text, (one) => `&#000${codeOf(one)};`),
	],
	['written in hexadecimal entities', (text) => everyCharacter(text, (one) => `&#x${hex(one)};`)],
	[
		'written in hexadecimal entities, in capitals',
		(text) => everyCharacter(text, (one) => `&#X${hex(one).toUpperCase()};`),
	],
	['escaped for JSON', jsonEscaped],
	['escaped for JSON twice', (text) => jsonEscaped(jsonEscaped(text))],
	['escaped for JSON with escaped slashes', (text) => jsonEscaped(text).replaceAll('/', '\\/')],
	[
		'escaped for JSON in every character',
		(text) => everyCharacter(text, (one) => `\\u${hex(one, 4)}`),
	],
	[
		'escaped for JSON in every character, in capitals',
		(text) => everyCharacter(text, (one) => `\\u${hex(one, 4).toUpperCase()}`),
	],
	['escaped for JavaScript', (text) => everyCharacter(text, (one) => `\\x${hex(one)}`)],
	['escaped for JSON, then for HTML', (text) => htmlEscaped(jsonEscaped(text))],
	['escaped for HTML, then for JSON', (text) => jsonEscaped(htmlEscaped(text))],
	['encoded for a URL, then escaped for JSON', (text) => jsonEscaped(encodeURIComponent(text))],
	['in base64', base64],
	['in base64url', base64url],
	['in base64 behind one byte', (text) => base64(`:${text}`)],
	['in base64 behind two bytes', (text) => base64(`k:${text}`)],
	['in base64 between others', (text) => base64(`brand:${text}:more`)],
	['in base64url between others', (text) => base64url(`a?>brand:${text}~~?>`)],
	['in base64 after encoding for a URL', (text) => base64(`brand:${encodeURIComponent(text)}`)],
	['in the base64 of JSON', (text) => base64(JSON.stringify({ key: text }))],
	['in base64, encoded for a URL', (text) => encodeURIComponent(base64(`??>${text}`))],
	[
		'in base64, escaped for JSON with escaped slashes',
		(text) => base64(`??>${text}`).replaceAll('/', '\\/'),
	],
];

/** Whether a text holds the secret in any form. */
function holds(text: string, secret: string): boolean {
	return readings(text).some((one) => one.includes(secret));
}

/** What a person with the usual tools can read in a text. Written without the code under test. */
function readings(text: string): string[] {
	const fromUrl = (one: string) =>
		one.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
	const fromJson = (one: string) =>
		one.replace(
			/\\(?:u([\da-f]{4})|x([\da-f]{2})|(["\\/]))/gi,
			(_, long?: string, short?: string, self?: string) =>
				self ?? String.fromCharCode(parseInt(long ?? short ?? '', 16)),
		);
	const names = new Map(
		Object.entries({ ...entities, ...namedEntities }).map(([character, name]) => [name, character]),
	);
	names.set('&quot;', '"').set('&#39;', "'").set('&apos;', "'");
	const fromHtml = (one: string) =>
		one.replace(/&(?:#x([\da-f]+)|#(\d+)|[a-z]+);/gi, (whole, long?: string, decimal?: string) =>
			long || decimal
				? String.fromCharCode(long ? parseInt(long, 16) : Number(decimal))
				: (names.get(whole) ?? whole),
		);
	const decoders = [fromUrl, fromJson, fromHtml];
	const once = [text, ...decoders.map((decode) => decode(text))];
	const twice = [...once, ...once.flatMap((one) => decoders.map((decode) => decode(one)))];
	const inBase64 = twice.flatMap((one) =>
		one.split(/[^\w+/-]+/).flatMap((run) =>
			[0, 1, 2, 3].flatMap((skip) => {
				const decoded = Buffer.from(run.slice(skip), 'base64').toString('latin1');
				return [decoded, fromUrl(decoded), fromJson(decoded)];
			}),
		),
	);
	return [...twice, ...inBase64];
}

const visible = fc.string({
	unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
	minLength: 8,
	maxLength: 40,
});

describe.each([
	['a number', number],
	['signs that every format escapes', awkward],
	[
		'a long token',
		'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
	],
	['backslashes', '\\'.repeat(12)],
	['what looks like escapes', '%41%42&lt;\\u0041'],
])('With the secret %s', (_, secret) => {
	const mask = createMask(secret);

	it.each(ways)('masks a secret that is %s', (__, write) => {
		expect(holds(write(secret), secret)).toBe(true);
		for (const [before, after] of [
			['', ''],
			['key=', '&x=1'],
			['{"a":"', '"}'],
			['%', '%'],
			['&', ';'],
			['\\', '"'],
		]) {
			const text = `${before}${write(secret)}${after}`;
			const result = mask.text(text);
			expect(result).toContain(masked);
			expect(holds(result, secret)).toBe(false);
		}
	});
});

describe('Text', () => {
	const mask = createMask(number);

	it.each([
		['is the secret', number, '…'],
		['holds it', `key ${number}.`, 'key ….'],
		['holds it twice', `${number} and ${number}`, '… and …'],
		['holds it twice without a space', number + number, '……'],
		['holds it beside other digits', `id 99${number}99`, 'id 99…99'],
		['holds it in base64', base64(`b:${number}`), 'Yjo…w=='],
		['holds all of it but a digit', number.slice(1), number.slice(1)],
		['is empty', '', ''],
	])('that %s', (_, text, expected) => {
		expect(mask.text(text)).toBe(expected);
	});

	it('that holds the secret in overlapping places loses every character of it', () => {
		expect(createMask('aaaaaaaa').text('a'.repeat(20))).toBe('……aaaa');
		expect(createMask('abcdXabcd').text('abcdXabcdXabcd')).toBe('…Xabcd');
	});

	it('is left alone where the secret is shorter than eight characters', () => {
		const short = createMask('2025011');
		expect(short.text('2025011')).toBe('2025011');
		expect(short.value(2025011)).toBe(2025011);
	});
});

describe('A value', () => {
	const mask = createMask(number);

	it.each<[string, unknown, unknown]>([
		['a text', `a ${number}`, 'a …'],
		['a number that is the secret', 20250117, '…'],
		['an integer of any size that is the secret', 20250117n, '…'],
		['a list', [1, [number], true], [1, ['…'], true]],
		['an object', { a: { b: number, c: null } }, { a: { b: '…', c: null } }],
		['a name', { [`x-${number}`]: 1 }, { 'x-…': 1 }],
		[
			'names that become equal',
			{ [number]: 1, [`%32${number.slice(1)}`]: 2, '… (2)': 3 },
			{ '…': 1, '… (3)': 2, '… (2)': 3 },
		],
		['bytes', { a: Buffer.from(`key ${number}`) }, { a: '…' }],
		['a date beside the secret', [new Date(0), number], [new Date(0), '…']],
	])('loses the secret in %s', (_, value, expected) => {
		expect(mask.value(value)).toStrictEqual(expected);
	});

	it.each<[string, unknown]>([
		['a number that begins with the secret', { id: 2025011799 }],
		['a number that holds it', [1202501170, -20250117, 20250117.5, 0.20250117]],
		['a large integer that holds it', { id: 2025011720250117n }],
		['other values', [null, undefined, true, NaN, -0, '', 'text', { a: {} }, []]],
		['nothing', null],
		['not a number', NaN],
		['a date, a map, a symbol and a function', [new Date(0), new Map(), Symbol('a'), () => number]],
		['other bytes', Buffer.from('key')],
		['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 })],
	])('comes back as it is: %s', (_, value) => {
		expect(mask.value(value)).toBe(value);
	});

	it('is masked as a number only where its digits are the secret', () => {
		expect(createMask('00012345').value([12345, '00012345'])).toEqual([12345, '…']);
		expect(createMask('12345678.5').value([12345678.5, 12345678])).toEqual(['…', 12345678]);
		// JSON.parse has rounded it, and most digits can still be read.
		expect(createMask('12345678901234567890').value(JSON.parse('[12345678901234567890]'))).toEqual([
			'…',
		]);
	});

	it('keeps names that mean something to JavaScript as plain data', () => {
		const value: unknown = JSON.parse(
			`{ "__proto__": { "key": "${number}" }, "constructor": { "prototype": "${number}" } }`,
		);
		const result = mask.value(value) as object;
		expect(JSON.stringify(result)).toBe(
			'{"__proto__":{"key":"…"},"constructor":{"prototype":"…"}}',
		);
		expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
		expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('key');
	});

	it('that is nested 20,000 levels deep is cut where n8n could not copy it', () => {
		const deep = (inside: string) =>
			JSON.parse('[{"a":'.repeat(10_000) + inside + '}]'.repeat(10_000)) as unknown;
		for (const inside of [`"${number}"`, '1']) {
			const written = JSON.stringify(mask.value(deep(inside)));
			expect(written).toBe(
				'[{"a":'.repeat(maxDepth / 2) + JSON.stringify(tooDeep) + '}]'.repeat(maxDepth / 2),
			);
		}
	});

	it('that is nested as deep as allowed comes back as it is', () => {
		const value: unknown = JSON.parse('['.repeat(maxDepth) + ']'.repeat(maxDepth));
		expect(mask.value(value)).toBe(value);
	});

	it('that contains itself keeps its shape', () => {
		const value: Record<string, unknown> = { key: number };
		value.self = value;
		const result = mask.value(value) as Record<string, unknown>;
		expect(result.key).toBe('…');
		expect(result.self).toBe(result);
		const clean: unknown[] = [];
		clean.push(clean);
		expect(mask.value(clean)).toBe(clean);
	});

	it('that cannot be read is replaced', () => {
		const throwing = {
			get key(): string {
				throw new Error('not today');
			},
		};
		const { proxy, revoke } = Proxy.revocable({}, {});
		revoke();
		expect(mask.value({ throwing, proxy, other: 1 })).toEqual({
			throwing: '…',
			proxy: '…',
			other: 1,
		});
		expect(mask.value(proxy)).toBe('…');
	});
});

describe('An outcome', () => {
	const mask = createMask(number);

	it('loses the secret in its response', () => {
		const outcome: Outcome = {
			outcome: 'accepted',
			statusCode: 200,
			response: { id: 2025011799, key: number },
			attempts: 1,
			rateLimitRemaining: 3,
		};
		expect(maskOutcome(outcome, mask)).toEqual({
			...outcome,
			response: { id: 2025011799, key: '…' },
		});
	});

	it('loses the secret in the message of a failure', () => {
		const outcome: Outcome = {
			outcome: 'unknown',
			code: 'EPROTO',
			message: `bad header ${number}`,
			attempts: 1,
		};
		expect(maskOutcome(outcome, mask)).toEqual({ ...outcome, message: 'bad header …' });
	});

	it.each<Outcome>([
		{ outcome: 'accepted', statusCode: 200, response: null, attempts: 1, rateLimitRemaining: null },
		{ outcome: 'rejected', statusCode: 400, response: { id: 2025011799 }, attempts: 1 },
		{
			outcome: 'notSent',
			reason: 'noConnection',
			code: 'ECONNREFUSED',
			message: 'refused',
			attempts: 4,
		},
		{ outcome: 'unknown', statusCode: 500, response: null, attempts: 1 },
	])('is the same where it does not hold the secret: $outcome', (outcome) => {
		expect(maskOutcome(outcome, mask)).toEqual(outcome);
	});

	it.each(['accepted', 'rejected!', 'noConnection', 'interrupted'])(
		'stays what it is where the key is %p',
		(key) => {
			const outcome: Outcome = {
				outcome: 'notSent',
				reason: 'noConnection',
				message: `x ${key}`,
				attempts: 4,
			};
			expect(maskOutcome(outcome, createMask(key))).toEqual({ ...outcome, message: 'x …' });
		},
	);
});

describe('For any secret', () => {
	const write = fc.constantFrom(...ways.map(([, way]) => way));

	it('no form of it is left in a text', () => {
		fc.assert(
			fc.property(
				visible,
				fc.array(fc.oneof(write, fc.string()), { maxLength: 4 }),
				(secret, parts) => {
					const text = parts
						.map((part) => (typeof part === 'string' ? part : part(secret)))
						.join('');
					const result = createMask(secret).text(text);
					for (const [, way] of ways.filter(([name]) => !name.includes('base64')))
						expect(result).not.toContain(way(secret));
				},
			),
			{ numRuns: 1_000 },
		);
	});

	it('no mixture of encodings of its characters is left', () => {
		const forms = [
			(one: string) => one,
			(one: string) => `%${hex(one)}`,
			(one: string) => `%${hex(one).toUpperCase()}`,
			(one: string) => `&#${codeOf(one)};`,
			(one: string) => `&#x${hex(one)};`,
			(one: string) => namedEntities[one] ?? one,
			(one: string) => `\\u${hex(one, 4)}`,
			(one: string) => (/["\\/]/.test(one) ? `\\${one}` : one),
		];
		const choices = fc.array(fc.nat(forms.length - 1), { minLength: 40, maxLength: 40 });
		fc.assert(
			fc.property(visible, choices, fc.string(), fc.string(), (secret, choice, before, after) => {
				const written = [...secret]
					.map((one, index) => forms[choice[index] ?? 0]?.(one) ?? one)
					.join('');
				const result = createMask(secret).text(before + written + after);
				expect(result).toContain(masked);
				expect(result).not.toContain(written);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('it is masked in base64 wherever it begins', () => {
		fc.assert(
			fc.property(
				visible,
				fc.string(),
				fc.string(),
				fc.boolean(),
				(secret, before, after, forUrl) => {
					const result = createMask(secret).text(
						(forUrl ? base64url : base64)(before + secret + after),
					);
					expect(holds(result, secret)).toBe(false);
				},
			),
			{ numRuns: 1_000 },
		);
	});

	it('nothing of it is left anywhere in a JSON value, and the other values stay', () => {
		const leaf = (secret: string) =>
			fc.oneof(
				fc.jsonValue(),
				write.map((way) => way(secret)),
			);
		const withSecret = visible.chain((secret) =>
			fc.tuple(
				fc.constant(secret),
				fc.dictionary(fc.oneof(fc.string(), fc.constant(secret)), fc.array(leaf(secret))),
			),
		);
		fc.assert(
			fc.property(withSecret, ([secret, value]) => {
				const before = JSON.stringify(value);
				const result = createMask(secret).value(value);
				expect(JSON.stringify(result)).not.toContain(jsonEscaped(secret));
				expect(JSON.stringify(value)).toBe(before);
				expect(Object.keys(result as object)).toHaveLength(Object.keys(value).length);
			}),
			{ numRuns: 500 },
		);
	});

	it('a value without it comes back as it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expect(createMask('a-secret-that-nothing-holds').value(value)).toBe(value);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('any value at all is masked without an exception', () => {
		const anything = fc.anything({
			withBigInt: true,
			withDate: true,
			withMap: true,
			withNullPrototype: true,
			withSet: true,
			withSparseArray: true,
			withTypedArray: true,
		});
		const mask = createMask(number);
		fc.assert(
			fc.property(anything, (value) => void mask.value([value, number])),
			{ numRuns: 1_000 },
		);
	});
});

describe('The work grows with the length of the text', () => {
	/** Calls of `charCodeAt`, with which the search reads the text and compares the secret. */
	function workFor(secret: string, text: string): number {
		const mask = createMask(secret);
		// eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the text as its `this`
		const original = String.prototype.charCodeAt;
		let calls = 0;
		String.prototype.charCodeAt = function (index: number) {
			calls++;
			return original.call(this, index);
		};
		try {
			mask.text(text);
		} finally {
			String.prototype.charCodeAt = original;
		}
		return calls;
	}

	const token = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
	it.each([
		['unrelated text', token, 'x', 2],
		['the beginning of the secret', token, token.slice(0, -1), 8],
		['its first character', token, 's', 8],
		['percent signs', token, '%', 2],
		['encoded percent signs', token, '%25', 8],
		['ampersands', token, '&', 2],
		['entities that do not end', token, '&#0', 2],
		['digits of one entity', token, '0', 2],
		['backslashes', token, '\\', 8],
		['the secret itself', token, token, 12],
		['the secret in base64', token, base64(token), 12],
	])('%s', (_, secret, piece, perCharacter) => {
		const text = (length: number) =>
			`&#${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length);
		const [short, long] = [workFor(secret, text(100_000)), workFor(secret, text(1_000_000))];
		expect(long).toBeLessThan(short * 11);
		expect(long).toBeLessThan(perCharacter * 1_000_000);
	});

	it.each([
		['letters', `${'a'.repeat(30)}b`, 'a'],
		['backslashes, which have two readings each', `${'\\'.repeat(30)}x`, '\\'],
	])('also where the secret repeats itself: %s', (_, secret, piece) => {
		const [short, long] = [
			workFor(secret, piece.repeat(5_000)),
			workFor(secret, piece.repeat(50_000)),
		];
		expect(long).toBeLessThan(short * 11);
	});
});
