import type { INodeParameters } from 'n8n-workflow';

import { sized } from '../../propertyRuns';
import * as order from '../support/orders';
import { useBench } from './support/bench';
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
		['two kinds of space around a line break', String.raw`\S\s*[\n\r]\s*\S`],
		['a repetition in a repetition', String.raw`^(a+)+$`],
	])('is found slow if it has %s', (_, source) => {
		expect(slowAttackOn({ source, flags: '' }, 500)).toBeDefined();
	});
});

describe('Every field', () => {
	const bench = useBench();
	const android = { ...order.pushSend, platforms: ['android'] };
	const fieldsOf = (parameters: INodeParameters, ...fields: string[]) =>
		fields.map((field) => inField(parameters, field));
	const later = { ...order.smsSend, sendAt: 'at', scheduledFor: '2099-01-01T09:30' };
	const places: Place[] = [
		...fieldsOf(android, 'user_id', 'title', 'message', 'url', 'platforms', 'recipientBy'),
		...['image_url', 'tag', 'android_id', 'extraBodyFields', 'notification_id'].map((field) =>
			inAdditional(android, field),
		),
		...fieldsOf(order.emailSend, 'email', 'sender_email', 'sender_name', 'subject', 'content'),
		...['reply_to', 'email_cc', 'track_open'].map((field) => inAdditional(order.emailSend, field)),
		...fieldsOf(order.smsSend, 'mobile', 'sender_mobile', 'serviceproviderID', 'message'),
		...fieldsOf(order.createUser, 'userID', 'name', 'email', 'mobile'),
		...fieldsOf(order.customPost, 'path', 'body'),
		...fieldsOf(later, 'scheduledFor', 'scheduleTimezone'),
		inField({ ...order.smsSend, sendAt: 'next', nextDays: ['monday'] }, 'nextTime'),
		inField({ ...order.smsSend, sendAt: 'next', nextTime: '09:30' }, 'nextDays'),
		...['email', 'city'].map(inColumn),
		...['pushUrl', 'apiKey', 'accessToken'].map((field) => inCredential(field)),
	];
	const pieces = [
		...[...'a0 \n.,-/@<>&"\'%([{', '\\', 'e\u0301'],
		...['a.', '/a', '<@', '<a', '{{', ' ,', '\n\n', '&amp;', 'https://a '],
	];
	// None, because the last repetition may be what takes long.
	const ends = sized([''], ['', '!']);

	// Every sixth in `npm test`, because most kinds of fields are there several times.
	const tried = places.filter((_, index) => index % sized(6, 1) === 0);
	it.each(tried.map((place) => [place.name, place] as const))(
		'takes or refuses 100,000 characters of anything at once: %s',
		async (_, { field, attempts }) => {
			const beginning = field.includes('mail') ? '<a@' : '';
			const texts = pieces.flatMap((piece) =>
				ends.map((end) => beginning + piece.repeat(100_000 / piece.length) + end),
			);
			for (const { parameters, ...rest } of texts.flatMap((text) => attempts([text]))) {
				const startedMs = usedMs();
				const { output, failed } = await bench.run(
					{ parameters: { ...parameters, options: { previewOnly: true } }, ...rest },
					'continueErrorOutput',
				);
				expect([...output, ...failed]).toHaveLength(1);
				// Compared with each other, so many characters take many seconds.
				expect(usedMs() - startedMs).toBeLessThan(1_000);
			}
			expect(bench.connections).toEqual([]);
		},
	);
});
