import type { INodeParameters } from 'n8n-workflow';

import type { Course } from '../support/executionList';
import { inShort, useNode } from '../support/node';
import * as order from '../support/orders';
import { createUsers, rowsOf } from '../support/sends';

const node = useNode({ onError: 'continueErrorOutput' });

/** Runs an operation against answers with this body, under the credential's Custom Answers. */
const answered = async (
	parameters: INodeParameters,
	[answerField, acceptedValues]: [unknown, unknown],
	body: string,
	{ status = 200, customAnswers = true, ...more }: Course & Record<string, unknown> = {},
) =>
	await node.against(
		(response) => response.writeHead(Number(status), { 'x-ratelimit-remaining': '99' }).end(body),
		{ parameters, ...more, account: { customAnswers, answerField, acceptedValues } },
	);

const byStatus: [string, string] = ['status', 'ok, queued'];

test.each<[string, [unknown, unknown], string, string]>([
	['a value that accepts', byStatus, '{"status":"queued"}', 'accepted'],
	['another value', byStatus, '{"status":"invalid"}', 'rejected'],
	['another value in other letters', byStatus, '{"status":"OK"}', 'rejected'],
	['no such field', byStatus, '{"success":false}', 'unknown'],
	['no value', byStatus, '{"status":null}', 'unknown'],
	['text', byStatus, 'ok', 'unknown'],
	['a value at a path', ['data.0.code', '0'], '{"data":[{"code":0}]}', 'accepted'],
	['a boolean', ['success', 'true'], '{"success":true,"errors":["late"]}', 'accepted'],
	['a boolean given by an expression', ['success', true], '{"success":true}', 'accepted'],
	['an absent error', ['errors', ''], '{"status":"failed"}', 'accepted'],
	['an empty error', ['errors', ''], '{"errors":[]}', 'accepted'],
	['an error', ['errors', ''], '{"errors":["no consent"]}', 'rejected'],
	['what must not have an error, as text', ['errors', ''], 'fine', 'unknown'],
	['anything', ['', ''], '{"success":false}', 'accepted'],
	['a web page in place of anything', ['', ''], '<html><body>', 'unknown'],
])('With Custom Answers, an answer with %s is %s', async (_, rule, body, outcome) => {
	const { told } = await answered(order.smsSend, rule, body, { status: 202 });
	expect(told.map((one) => one.outcome)).toEqual([outcome]);
	expect(told[0]?.details.statusCode).toBe(202);
});

test('The text of a refusal quotes the answer and names Custom Answers, or the field that is missing', async () => {
	const body = '{"status":"invalid","message":"unknown sender"}';
	const { failed } = await answered(order.smsSend, byStatus, body);
	expect(failed[0]?.json).toMatchObject({
		error: 'The service answered 200, but refused the SMS to +919812345679: unknown sender',
		details: {
			description: expect.stringContaining("'Custom Answers' in the credential") as unknown,
		},
	});
	const without = await answered(order.smsSend, byStatus, '', { status: 202 });
	expect(without.failed[0]?.json.error).toBe(
		"The service answered 202 without the field 'status', so it may or may not have been delivered",
	);
});

test('A batch is refused as a whole, and not sent in halves', async () => {
	const rows = rowsOf(6);
	const report = await answered(createUsers(), byStatus, '{"status":"no"}', { rows });
	expect(inShort(report)).toBe('6 rejected');
	expect(report.server.requests).toBe(1);
});

test('Custom Answers do not concern custom requests, and nothing while they are off', async () => {
	const custom = await answered(order.customPost, byStatus, '{"rows":[]}');
	const off = await answered(order.smsSend, byStatus, '{}', { customAnswers: false });
	expect([custom, off].map(inShort)).toEqual(['1 accepted', '1 accepted']);
});

test('After ten refusals and no success, the rest is not sent', async () => {
	const message = '=For {{ $json.id }}';
	const parameters = { ...order.smsSend, message, options: { concurrency: 1 } };
	const rows = rowsOf(15);
	const report = await answered(parameters, byStatus, '{"status":"wrong key"}', { rows });
	expect(inShort(report)).toBe('10 rejected, 5 notSent serviceUnavailable');
});
