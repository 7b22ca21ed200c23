import assert from 'node:assert/strict';
import { messaging, noOp } from '../../scripts/n8n/workflows';
import type { Bench } from './bench';

export type Decision = 'approve' | 'decline';

/** Opens the link of a question as a browser would; with a form, sends it. */
export async function open(link: string, form?: Record<string, string>) {
	const response = await fetch(link, {
		headers: { connection: 'close' },
		...(form && { method: 'POST', body: new URLSearchParams(form) }),
	});
	const policy = response.headers.get('content-security-policy') ?? '';
	return { status: response.status, html: await response.text(), policy };
}

export const press = async (link: string, decision: Decision) => await open(link, { decision });

export async function assertRecorded(link: string, decision: Decision, says = '') {
	assert.match((await press(link, decision)).html, new RegExp(`was recorded[^]*${says}`));
}

/** As a push to one person, with two buttons. */
export const question = {
	resource: 'push',
	operation: 'sendAndWait',
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: 'C-1',
	title: 'Spring <sale>',
	message: '=May it go out to {{ $json.body.customers }} customers?',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Send it', disapproveLabel: 'Stop it' },
	},
};
export const askedBody = { customers: 5000 };

/** The link of a question that was sent as the first request, or as another one. */
export function linkSent({ sandbox }: Bench, index = 0): string {
	const { url = '' } = (sandbox.record[index]?.body ?? {}) as { url?: string };
	const query = String.raw`\?(run=\d+&)?signature=\w{64}$`;
	const path = String.raw`^http://localhost:\d+/(n8n/)?webhook-waiting/\d+/\w+`;
	assert.match(url, new RegExp(path + query));
	return url;
}

export type WaitingQuestion = Awaited<ReturnType<typeof ask>>;

/** Starts a workflow that asks, and waits until its execution waits. */
export async function ask(bench: Bench, path: string, changes: object = {}) {
	const nodes = [messaging('Ask', { ...question, ...changes }), noOp('Done')];
	const id = await bench.callAndAsk(await bench.behindWebhook(path, nodes), askedBody);
	return {
		id,
		link: linkSent(bench),
		/** The node after it gets this, once. */
		assertAnswer: async (data: object) => assert.deepEqual(await answersOf(bench, id), [{ data }]),
		assertWaits: async () => assert.equal((await bench.execution(id)).status, 'waiting'),
	};
}

/** What the node after it got of answers, without their times. */
export async function answersOf(bench: Bench, id: string): Promise<unknown[]> {
	const run = (await bench.ended(id)).succeeded();
	return run.items().map(({ json: { data: answered, ...rest } }) => {
		if (answered === undefined) return rest;
		const { respondedAt, ...data } = answered as Record<string, unknown>;
		assert.match(String(respondedAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		return { ...rest, data };
	});
}
