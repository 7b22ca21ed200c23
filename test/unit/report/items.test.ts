import type { INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../../nodes/CustomerMessaging/report/items';
import type { Run, UnusableRun } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { createMask } from '../../../nodes/CustomerMessaging/shared/mask';
import type { Result } from '../../../nodes/CustomerMessaging/shared/result';
import { VirtualClock } from '../../../simulation/virtualClock';
import { fakeN8n } from '../../../simulation/fakeN8n';
import {
	accepted,
	notSent,
	operationOf,
	preview,
	rejected,
	runOf,
	sent,
	skipped,
	unknown,
} from './support/results';

const push = runOf('push', 'send');
const about = { resource: 'push', operation: 'send' };
const unusable: UnusableRun = {
	problems: [],
	history: { isRetry: false, wasInterrupted: false },
	resource: 'push',
};
const quiet = fakeN8n(new VirtualClock(0), () => {
	throw new Error('Nothing is sent');
});

async function itemsOf(
	results: readonly Result[],
	run: Run | UnusableRun = push,
	n8n: Partial<typeof quiet> = {},
	input: readonly INodeExecutionData[] = [],
) {
	return await toItems(results, { ...quiet, ...n8n }, run, input);
}

/** The JSON of a single result. */
async function jsonOf(result: Result, run: Run | UnusableRun = push) {
	const items = await itemsOf([result], run);
	return items[0]?.json;
}

const schedule = {
	kind: 'at',
	instantMs: Date.UTC(2026, 11, 1, 8),
	zone: 'Europe/Berlin',
} as const;
const when = {
	zone: 'Europe/Berlin',
	local: '2026-12-01T09:00:00.000+01:00',
	utc: '2026-12-01T08:00:00.000Z',
};
const toAnn = {
	platform: 'ios' as const,
	userID: 'C-1',
	to: { user_id: 'C-1' },
	notificationId: 7,
	schedule,
};
const answer = { statusCode: 200, response: 'OK', attempts: 1, rateLimitRemaining: 99 };

describe('The item of an accepted message', () => {
	it('holds whom it was for, when, and the answer', async () => {
		const result = { ...sent(0, accepted('OK'), toAnn), batch: { index: 2, size: 3 } };
		expect(await jsonOf(result)).toEqual({
			outcome: 'accepted',
			...about,
			platform: 'ios',
			userID: 'C-1',
			user_id: 'C-1',
			notification_id: 7,
			schedule: when,
			batch: { index: 2, size: 3 },
			...answer,
		});
	});

	it('holds nothing that is not known', async () => {
		expect(Object.keys((await jsonOf(sent(0, accepted()))) ?? {})).toEqual([
			'outcome',
			'resource',
			'operation',
			'statusCode',
			'response',
			'attempts',
			'rateLimitRemaining',
		]);
		expect(await jsonOf(sent(0, accepted('OK')), unusable)).toEqual({
			outcome: 'accepted',
			...answer,
		});
	});

	it('holds the request, the earlier attempt, and the time that was decided last', async () => {
		const request = { method: 'POST' as const, url: 'https://api.example.com/', body: {} };
		const within = { kind: 'within', fromMs: 0, toMs: 1, zone: 'UTC' } as const;
		const result = { ...sent(0, accepted('OK'), { schedule: within }), request };
		expect(await jsonOf({ ...result, sentBefore: true, scheduled: schedule })).toEqual({
			outcome: 'accepted',
			...about,
			schedule: when,
			sentBefore: true,
			...answer,
			request,
		});
	});

	it('is linked to its row, in the order of the input', async () => {
		const items = await itemsOf([sent(2, accepted()), sent(0, accepted()), sent(1, accepted())]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('never holds a secret', async () => {
		const secret = 'a-long-secret';
		const [item] = await itemsOf([sent(0, accepted(`key ${secret}`))], push, {
			mask: createMask([secret]),
		});
		expect(item?.json.response).toBe('key …');
	});

	it('holds its row with Include Input Fields, unless it failed', async () => {
		const run = { ...push, settings: { ...push.settings, includeInputFields: true } };
		const results = [sent(0, accepted('OK')), sent(1, rejected(413)), sent(2, accepted('OK'))];
		const input = [{ json: { name: 'Ann' } }, { json: { name: 'Ben' } }];
		const json = (await itemsOf(results, run, {}, input)).map((item) => item.json);
		expect(json[0]).toEqual({ name: 'Ann', result: { outcome: 'accepted', ...about, ...answer } });
		expect(json[1]).not.toHaveProperty('name');
		expect(json[2]).toEqual({ outcome: 'accepted', ...about, ...answer });
		expect((await itemsOf(results, push, {}, input))[0]?.json).not.toHaveProperty('name');
	});
});

describe('The item of a message that failed', () => {
	it('holds what happened, and under details what to do', async () => {
		const result = { ...sent(0, rejected(413, 'Too big'), toAnn), batch: { index: 0, size: 1 } };
		expect(await jsonOf(result)).toEqual({
			error: 'The service refused the request because it is too large (413)',
			details: {
				outcome: 'rejected',
				...about,
				platform: 'ios',
				userID: 'C-1',
				notification_id: 7,
				schedule: when,
				batch: { index: 0, size: 1 },
				statusCode: 413,
				response: 'Too big',
				attempts: 1,
				description: 'Shorten the longest fields of this item, or leave some of them out.',
			},
		});
	});

	it('names a batch of one row as the row itself', async () => {
		const result = {
			...sent(0, rejected(400, 'No'), { userID: 'C-1' }),
			batch: { index: 0, size: 1 },
		};
		const json = await jsonOf(result, runOf('user', 'create'));
		expect(json?.error).toBe('The service refused user C-1 (400): No');
	});

	it('says that it was the test, with the operation that sent it', async () => {
		const testRecipient = {
			operation: operationOf('push', 'send'),
			key: 'user_id',
			value: 'me',
			fields: {},
		};
		const run = runOf('push', 'broadcastAll', { testRecipient });
		const test = { changes: [] };
		const json = await jsonOf(sent(0, unknown(), { test }), run);
		expect(json?.error).toBe(
			'Test message: No answer came from https://api.example.com, so it may or may not have been delivered',
		);
		expect(json?.details).toMatchObject({ ...about, test });
		const refused = await jsonOf(sent(0, rejected(400), { test }), run);
		expect(refused?.error).toBe('The service refused the test message (400)');
		const real = await jsonOf(sent(0, unknown()), run);
		expect(real?.details).toMatchObject({ operation: 'broadcastAll' });
	});

	it('holds each correction with the label of its field', async () => {
		const problems = [
			{ field: 'title', message: 'Title is empty' },
			{ field: 'Column', message: 'No text' },
		];
		expect(await jsonOf({ kind: 'invalid', itemIndex: 0, problems })).toEqual({
			error: 'Title is empty; No text',
			details: {
				outcome: 'invalid',
				...about,
				problems: [
					{ field: 'title', label: 'Title', message: 'Title is empty' },
					{ field: 'Column', label: 'Column', message: 'No text' },
				],
			},
		});
	});

	it('is a mistake of this node if its check failed', async () => {
		const result = { kind: 'invalid', itemIndex: 0, problems: [], internalError: 'x' } as const;
		const json = await jsonOf({ ...result, problems: [] });
		expect(json?.error).toBe('A mistake in this node prevented it from being sent');
		expect(json?.details).toMatchObject({ outcome: 'notSent', reason: 'internalError' });
	});

	it('is marked for the error output without being changed', async () => {
		const results = [sent(0, notSent('stopped')), sent(1, accepted())];
		const marks = (items: object[]) =>
			items.map((item) => Object.getOwnPropertyDescriptor(item, 'error'));
		expect(marks(await itemsOf(results, push, { hasErrorOutput: true }))).toEqual([
			{
				value: { message: 'The run ended before it was sent' },
				enumerable: false,
				writable: true,
				configurable: false,
			},
			undefined,
		]);
		expect(marks(await itemsOf(results))).toEqual([undefined, undefined]);
	});
});

describe('The item of a message that was not sent', () => {
	it('holds the request of a preview, its lengths and its empty placeholders', async () => {
		const result = {
			...preview(0, { ...toAnn, gaps: [{ field: 'title', code: '$json.name', at: 3 }] }),
			body: { title: 'Hi' },
			batch: { index: 0, size: 1 },
			measured: { characters: { title: { count: 2 } }, sms: { parts: 1 } },
		};
		expect(await jsonOf(result)).toEqual({
			outcome: 'preview',
			platform: 'ios',
			userID: 'C-1',
			user_id: 'C-1',
			body: { title: 'Hi' },
			characters: { title: { count: 2 } },
			sms: { parts: 1 },
			emptyPlaceholders: [{ field: 'title', placeholder: '{{ $json.name }}' }],
			schedule: when,
			...about,
			batch: { index: 0, size: 1 },
			method: 'POST',
			url: 'https://api.example.com/api/v1/sendMessage',
		});
	});

	it('holds the page of a preview as a file, except for an agent', async () => {
		const result = { ...preview(0), page: `a-long-secret ${'ä'.repeat(600)}` };
		const mask = createMask(['a-long-secret']);
		const [item] = await itemsOf([result], push, { mask });
		expect(item?.binary).toEqual({
			preview: {
				data: Buffer.from(`… ${'ä'.repeat(600)}`).toString('base64'),
				mimeType: 'text/plain',
				fileType: 'html',
				fileName: 'preview.html',
				fileExtension: 'html',
				fileSize: '1.2 kB',
			},
		});
		expect((await itemsOf([result], push, { isTool: true }))[0]).not.toHaveProperty('binary');
		expect((await itemsOf([preview(0)]))[0]).not.toHaveProperty('binary');
	});

	it('says that it was sent before, and how that ended', async () => {
		const result = skipped(0, 'unknown', { differs: true });
		const delivery = { ...result.delivery, ...toAnn };
		expect(await jsonOf({ ...result, delivery })).toEqual({
			outcome: 'skipped',
			reason: 'sentBefore',
			earlierOutcome: 'unknown',
			differs: true,
			...about,
			platform: 'ios',
			userID: 'C-1',
			user_id: 'C-1',
			notification_id: 7,
			schedule: when,
		});
	});
});
