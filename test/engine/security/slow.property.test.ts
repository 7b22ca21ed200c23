import type { INodeParameters } from 'n8n-workflow';

import { sized } from '../../propertyRuns';
import * as order from '../support/orders';
import { useBench } from './support/bench';
import { patterns } from './support/patterns';
import { inAdditional, inColumn, inCredential, inField } from './support/places';
import { slowAttackOn, usedMs } from './support/slowness';

// Some expressions have many thousands of texts to try.
jest.setTimeout(sized(120_000, 1_800_000));

test('The time that a regular expression takes is in proportion to the length of a text made of its own characters, in the node, its credentials and the sandbox', () => {
	// Two kinds of space around a line break, and a repetition in a repetition, are found.
	for (const source of [String.raw`\S\s*[\n\r]\s*\S`, String.raw`^(a+)+$`])
		expect(slowAttackOn({ source, flags: '' }, 300)).toBeDefined();
	const { found, unread } = patterns();
	expect(found.length).toBeGreaterThan(150);
	// It is made of secrets.
	expect(unread.map((place) => place.replace(/:\d+$/, ''))).toEqual([
		'nodes/CustomerMessaging/shared/mask.ts',
	]);
	const slow = found.map((pattern) => ({ ...pattern, attack: slowAttackOn(pattern) }));
	expect(slow.filter(({ attack }) => attack !== undefined)).toEqual([]);
});

describe('A field', () => {
	const bench = useBench();
	const { emailSend, smsSend, createUser, customPost } = order;
	const android = { ...order.pushSend, platforms: ['android'] };
	const later = { ...smsSend, sendAt: 'at', scheduledFor: '2030-01-01T09:30' };
	const fieldsOf = (parameters: INodeParameters, fields: string) =>
		fields.split(' ').map((field) => inField(parameters, field));
	const additionalOf = (parameters: INodeParameters, fields: string) =>
		fields.split(' ').map((field) => inAdditional(parameters, field));
	const places = [
		...fieldsOf(android, 'user_id title url platforms recipientBy'),
		...additionalOf(android, 'image_url extraBodyFields notification_id'),
		...fieldsOf(emailSend, 'email sender_email subject content'),
		...additionalOf(emailSend, 'email_cc track_open'),
		...fieldsOf(smsSend, 'mobile sender_mobile serviceproviderID message'),
		...fieldsOf(createUser, 'userID name email mobile'),
		...fieldsOf(customPost, 'path body'),
		...fieldsOf(later, 'scheduledFor scheduleTimezone'),
		...fieldsOf({ ...smsSend, sendAt: 'next', nextDays: ['monday'] }, 'nextTime'),
		...fieldsOf({ ...smsSend, sendAt: 'next', nextTime: '09:30' }, 'nextDays'),
		...[inColumn('email'), inCredential('pushUrl'), inCredential('apiKey')],
	];
	const pieces = [
		...[...'a0 \n.,-/@<>&"\'%([{', '\\', 'e\u0301'],
		...['a.', '/a', '<@', '<a', '{{', ' ,', '\n\n', '&amp;', 'https://a ', '\u0301'],
	];
	/** Many of one piece, and then many of another. */
	const joined = (piece: string, at: number) => {
		const other = pieces[(at + 7) % pieces.length] ?? '';
		return piece.repeat(50_000 / piece.length) + other.repeat(50_000 / other.length);
	};
	// None, because the last repetition may be what takes long.
	const ends = sized([''], ['', '!']);

	// Every eighth in `npm test`, because most kinds of fields are there several times.
	const tried = places.filter((_, index) => index % sized(8, 1) === 0);
	it.each(tried)('reads 100,000 characters at once: $name', async ({ field, attempts }) => {
		const beginning = field.includes('mail') ? '<a@' : '';
		const texts = pieces.flatMap((piece, at) =>
			[piece.repeat(100_000 / piece.length), joined(piece, at)].flatMap((text) =>
				ends.map((end) => beginning + text + end),
			),
		);
		// Each alone: many quick texts take as long as one slow one.
		for (const { parameters, ...rest } of texts.flatMap((text) => attempts([text]))) {
			const startedMs = usedMs();
			const { output, failed } = await bench.run(
				{ parameters: { ...parameters, options: { previewOnly: true } }, ...rest },
				'continueErrorOutput',
			);
			expect(output.length + failed.length).toBe(rest.rows?.length ?? 1);
			// Compared with each other, the characters of one text take more seconds.
			expect(usedMs() - startedMs).toBeLessThan(4_000);
		}
		expect(bench.server.received).toEqual([]);
	});
});
