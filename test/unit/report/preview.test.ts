import { previewAll } from '../../../nodes/CustomerMessaging/report/preview';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import type { RunReport } from '../../../nodes/CustomerMessaging/shared/result';
import { VirtualClock } from '../../../simulation/virtualClock';
import { fakeN8n } from '../../../simulation/fakeN8n';
import { accepted, deliveryOf, runOf, sent } from './support/results';

const push = runOf('push', 'send');
const n8n = fakeN8n(new VirtualClock(Date.UTC(2026, 10, 1, 12)), () => {
	throw new Error('Nothing is sent');
});
const previewOf = async (deliveries: Delivery[], run: Run = push, test?: RunReport) =>
	await previewAll(deliveries, run, n8n, test);

const toWeb = (item: number, body: object = { title: 'Hi' }, given: Partial<Delivery> = {}) =>
	deliveryOf(item, {
		platform: 'web',
		path: '/api/v1/web/send',
		buildBody: () => ({ ...body }),
		...given,
	});
const many = (count: number, title: (item: number) => string) =>
	Array.from({ length: count }, (_, item) => toWeb(item, { title: title(item) }));
/** The items whose message is shown as a page. */
const pagesIn = ({ results }: RunReport) =>
	results.flatMap((result) =>
		result.kind === 'preview' && result.page ? [result.delivery.itemIndex] : [],
	);

describe('A preview', () => {
	it('holds each request, and what its texts measure', async () => {
		const { results, ...report } = await previewOf([toWeb(0), toWeb(1)]);
		expect(report).toEqual({ requests: 2, waitedMs: 0, remaining: null });
		expect(results).toMatchObject(
			[0, 1].map((itemIndex) => ({
				kind: 'preview',
				delivery: { itemIndex },
				url: 'https://api.example.com/api/v1/web/send',
				body: { title: 'Hi' },
				measured: { characters: { title: { count: 2 } } },
			})),
		);
	});

	it("shows each row's own element of a batch", async () => {
		const users = ['a', 'b', 'c'].map((userID, item) =>
			deliveryOf(item, { path: '/api/v1/user/create', userID, buildBody: () => ({ userID }) }),
		);
		const run = runOf('user', 'create');
		run.settings.batchSize = 2;
		const { results, requests } = await previewOf(users, run);
		expect(requests).toBe(2);
		expect(results).toMatchObject([
			{ batch: { index: 0, size: 2 }, body: { nv: [{ userID: 'a' }] } },
			{ batch: { index: 0, size: 2 }, body: { nv: [{ userID: 'b' }] } },
			{ batch: { index: 1, size: 1 }, body: { nv: [{ userID: 'c' }] } },
		]);
		expect(results[0]).not.toHaveProperty('page', expect.any(String));
	});

	it('decides when a message within hours would leave', async () => {
		const hour = 3_600_000;
		const within = (fromHour: number) =>
			({ kind: 'within', fromMs: fromHour * hour, toMs: 20 * hour, zone: 'UTC' }) as const;
		const { results } = await previewOf([
			toWeb(0, {}, { schedule: within(9) }),
			toWeb(1, {}, { schedule: within(13) }),
		]);
		expect(results).toMatchObject([
			{ delivery: { schedule: { kind: 'now' } } },
			{
				delivery: {
					schedule: { kind: 'at', instantMs: Date.UTC(2026, 10, 1, 13), zone: 'UTC' },
				},
			},
		]);
	});

	it('shows the first ten messages as a page, and the worst ones', async () => {
		expect(pagesIn(await previewOf(many(12, () => 'Hi')))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		const report = await previewOf(many(13, (item) => (item === 11 ? 'The longest' : 'Hi')));
		expect(pagesIn(report)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
		expect(report.results[11]).toMatchObject({
			page: expect.stringContaining('Of all messages: the longest text') as string,
		});
	});

	it('does not show the message that was sent as a test', async () => {
		const test = {
			results: [sent(1, accepted(), { test: { changes: [] } })],
			requests: 1,
			waitedMs: 500,
			remaining: 99,
		};
		const report = await previewOf([toWeb(0), toWeb(1), toWeb(2)], push, test);
		expect(report).toMatchObject({ requests: 3, waitedMs: 500, remaining: 99 });
		expect(report.results.map(({ kind }) => kind)).toEqual(['sent', 'preview', 'preview']);
		expect(pagesIn(report)).toEqual([0, 2]);
	});
});
