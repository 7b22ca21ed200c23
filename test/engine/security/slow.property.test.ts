import { Script } from 'node:vm';

import { sized } from '../../propertyRuns';
import * as order from '../support/orders';
import { useBench } from './support/attempting';
import { patterns } from './support/patterns';
import { inAdditional, inColumn, inCredential, inField, type Place } from './support/places';

// How long each may take is asserted.
jest.setTimeout(60_000);

/** What each expression may begin with, what it may repeat, and what keeps it from matching in the end. */
const starts = ['', '+', '/', 'https://', '2026-11-23T09:30:00.', "'"];
const repeated = [
	...'aA09./-_@ \t\n,:;+%\'"()[]{}\\?&=#~!*<>|$^`é\u00a0\ud83d',
	...['ab', '//', '\r\n', '%2', '%25', 'a.', '.a', 'a-', 'a@', '/a', '/..', '/.', ' ,', ', '],
	...['0 ', '(0)', '+1', 'a+a', '://', "''", 'yy', '😀'],
];
const ends = ['!', '\n\0'];

const attack = (start: string, piece: string, end: string, length: number) =>
	start + piece.repeat(Math.ceil(length / piece.length)) + end;

describe('Every regular expression of the published code', () => {
	const found = patterns();

	const length = sized(10_000, 100_000);
	// Of a text in quadratic time, a tenth of the length takes a hundredth.
	const timeout = sized(5_000, 50_000);

	it('is found by the test', () => expect(found.length).toBeGreaterThan(25));

	// Unlike a timer, node:vm can interrupt a regular expression that backtracks endlessly.
	it.each(found.map(({ where, source, flags }) => [where, source, flags]))(
		`%s answers ${length} characters of anything at once: %s`,
		(where, source, flags) => {
			const script = new Script(
				`for (const start of starts) for (const piece of repeated) for (const end of ends) {
					last = [start, piece, end];
					pattern.lastIndex = 0;
					attack(start, piece, end, length).replace(pattern, '');
				}`,
				{ filename: where },
			);
			const context = {
				starts,
				repeated,
				ends,
				attack,
				length,
				pattern: new RegExp(source, flags),
				last: [],
			};
			const run = () => void script.runInNewContext(context, { timeout });
			expect(run).not.toThrow();
		},
	);
});

describe('Every field', () => {
	const bench = useBench();
	const android = { ...order.pushSend, platforms: ['android'] };
	const places: Place[] = [
		...['user_id', 'title', 'message', 'url', 'platforms', 'recipientBy'].map((field) =>
			inField(android, field),
		),
		...['image_url', 'tag', 'android_id', 'extraBodyFields', 'notification_id'].map((field) =>
			inAdditional(android, field),
		),
		...['email', 'sender_email', 'sender_name', 'subject', 'content'].map((field) =>
			inField(order.emailSend, field),
		),
		...['reply_to', 'email_cc', 'track_open'].map((field) => inAdditional(order.emailSend, field)),
		...['mobile', 'sender_mobile', 'serviceproviderID', 'message'].map((field) =>
			inField(order.smsSend, field),
		),
		...['userID', 'name', 'email', 'mobile'].map((field) => inField(order.createUser, field)),
		...['path', 'body'].map((field) => inField(order.customPost, field)),
		inField({ ...order.smsSend, sendAt: 'at' }, 'scheduledFor'),
		inField(
			{ ...order.smsSend, sendAt: 'at', scheduledFor: '2099-01-01T09:30' },
			'scheduleTimezone',
		),
		inField({ ...order.smsSend, sendAt: 'next', nextDays: ['monday'] }, 'nextTime'),
		inField({ ...order.smsSend, sendAt: 'next', nextTime: '09:30' }, 'nextDays'),
		inColumn('email'),
		inColumn('city'),
		...['pushUrl', 'apiKey', 'accessToken'].map((field) => inCredential(field)),
	];
	const pieces = ['a', '0', ' ', 'a.', '/a', ',', '%', "'", '[', 'e\u0301'];

	const longLength = sized(30_000, 100_000);
	const shortLength = longLength / 16;

	/** How long a run of the node takes with each of the texts in a field. */
	async function timeFor(place: Place, length: number): Promise<number> {
		const startedMs = performance.now();
		for (const piece of pieces) {
			const { parameters, ...rest } = place.attempt(
				attack(place.field.includes('mail') ? 'a@' : '', piece, '!', length),
			);
			const { output, failed } = await bench.run(
				{ parameters: { ...parameters, options: { previewOnly: true } }, ...rest },
				'continueErrorOutput',
			);
			expect([...output, ...failed]).toHaveLength(1);
		}
		return performance.now() - startedMs;
	}

	// Every third in `npm test`, because most kinds of fields are there several times.
	const tried = places.filter((_, index) => index % sized(3, 1) === 0);
	it.each(tried.map((place) => [place.name, place] as const))(
		'takes or refuses a long text in a time that grows with its length alone: %s',
		async (_, place) => {
			let [short, long] = [Infinity, Infinity];
			// Something else may have kept the machine busy the first time.
			for (let again = 0; again < 3 && long >= 60 * short; again++) {
				short = Math.min(short, await timeFor(place, shortLength));
				long = Math.min(long, await timeFor(place, longLength));
			}
			// 16 times at most, and up to 256 times if each character were compared with each other.
			expect(long).toBeLessThan(60 * short);
			expect(bench.connections).toEqual([]);
		},
	);
});
