import { sized } from '../../propertyRuns';
import * as order from '../support/orders';
import { useBench } from './support/attempting';
import { patterns } from './support/patterns';
import { inAdditional, inColumn, inCredential, inField, type Place } from './support/places';
import { slowAttackOn, usedMs } from './support/slowness';

// Some expressions have many thousands of texts to try.
jest.setTimeout(120_000);

describe('Every regular expression of the node, its credentials and the sandbox', () => {
	const { found, unread } = patterns();

	it('is found by the test, except for the one that is made of secrets', () => {
		expect(found.length).toBeGreaterThan(150);
		expect(unread.map((place) => place.replace(/:\d+$/, ''))).toEqual([
			'nodes/CustomerMessaging/shared/mask.ts',
		]);
	});

	it.each(found.map(({ where, source, flags }) => [where, source, flags]))(
		'%s takes a time in proportion to the length of a text made of its own characters: %s',
		(_, source, flags) => expect(slowAttackOn({ source, flags })).toBeUndefined(),
	);

	it.each([
		['the one for a name and an address', String.raw`^[^<>]*<([^<>\s]+@[^<>\s]+)>$`, ''],
		['two kinds of space around a line break', String.raw`\S\s*[\n\r]\s*\S`, ''],
		['a name that may contain what begins it', String.raw`<[a-z][^\s/>]*(?=[\s/>])`, 'i'],
		['a repetition in a repetition', String.raw`^(a+)+$`, ''],
	])('is found slow if it has %s', (_, source, flags) => {
		expect(slowAttackOn({ source, flags }, 2_000)).toBeDefined();
	});
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
	const pieces = [
		...[...'a0 \n.,-/@<>&"\'%([{', '\\', 'e\u0301'],
		...['a.', '/a', '<@', '<a', '{{', ' ,', '\n\n', '&amp;', 'https://a '],
	];
	// None, because the last repetition may be what takes long.
	const ends = sized([''], ['', '!']);

	// Every third in `npm test`, because most kinds of fields are there several times.
	const tried = places.filter((_, index) => index % sized(3, 1) === 0);
	it.each(tried.map((place) => [place.name, place] as const))(
		'takes or refuses 100,000 characters of anything at once: %s',
		async (_, place) => {
			const beginning = place.field.includes('mail') ? '<a@' : '';
			for (const piece of pieces) {
				for (const end of ends) {
					const text = beginning + piece.repeat(100_000 / piece.length) + end;
					const { parameters, ...rest } = place.attempt(text);
					const startedMs = usedMs();
					const { output, failed } = await bench.run(
						{ parameters: { ...parameters, options: { previewOnly: true } }, ...rest },
						'continueErrorOutput',
					);
					expect([...output, ...failed]).toHaveLength(1);
					// Compared with each other, so many characters take many seconds.
					if (usedMs() - startedMs > 1_000) throw new Error(`${JSON.stringify(piece)} takes long`);
				}
			}
			expect(bench.connections).toEqual([]);
		},
	);
});
