import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sized } from '../../propertyRuns';
import { usedMs } from '../support/clock';
import * as order from '../support/orders';
import { useBench } from './support/bench';
import { inAdditional, inColumn, inCredential, inField } from './support/places';

// Very many texts in `npm run test:property`.
jest.setTimeout(sized(120_000, 1_800_000));

const bench = useBench();
const onError = 'continueErrorOutput';

describe('A field', () => {
	const { emailSend, smsSend, createUser, customPost } = order;
	const android = { ...order.pushSend, platforms: ['android'] };
	const later = { ...smsSend, sendAt: 'at', scheduledFor: '2030-01-01T09:30' };
	const each = (place: typeof inField) => (parameters: INodeParameters, fields: string) =>
		fields.split(' ').map((field) => place(parameters, field));
	const [fieldsOf, additionalOf] = [each(inField), each(inAdditional)];
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
			const shown = { ...parameters, options: { previewOnly: true } };
			const { output, failed } = await bench.run({ parameters: shown, ...rest, onError });
			expect(output.length + failed.length).toBe(rest.rows?.length ?? 1);
			// Compared with each other, the characters of one text take more seconds.
			expect(usedMs() - startedMs).toBeLessThan(4_000);
		}
		expect(bench.server.received).toEqual([]);
	});
});

const alike = { message: `=${'x'.repeat(200)}{{ $json.id }}` };
const withOneKey = { title: '={{ $json.id }}', sendOnce: true, sendOnceKey: 'the same' };
const columnsOf = (row: number) =>
	Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`column${row}x${at}`, 'x']));

const byId = (id: number) => ({ id });
const misspelt = { title: '=Hi {{ $json.colunm }}' };

type Case = [string, n: number, changes: INodeParameters, rowOf: (row: number) => IDataObject];
/** What compares rows with each other, or with the columns of all, must not compare each with each. */
test.each<Case>([
	['for one user, alike in their beginning', 250, alike, byId],
	['for one user with one key of Send Once', 500, withOneKey, byId],
	['with columns of their own', 75, misspelt, columnsOf],
])('Four times as many rows take about four times as long: %s', async (_, n, changes, rowOf) => {
	const parameters = { ...order.pushSend, ...changes };
	const measure = async (count: number) => {
		const rows = Array.from({ length: count }, (__, row) => rowOf(row));
		const startedMs = usedMs();
		const report = await bench.run({ parameters, rows, onError });
		expect(report.output.length + report.failed.length).toBe(count);
		return usedMs() - startedMs;
	};
	// What runs for the first time takes longer.
	await measure(20);
	const isSlow = async () => {
		const few = await measure(n);
		return (await measure(4 * n)) > 8 * few + 200;
	};
	// What grows with the square takes sixteen times as long. Twice, because the collection of garbage falls on any of them.
	expect((await isSlow()) && (await isSlow())).toBe(false);
});
