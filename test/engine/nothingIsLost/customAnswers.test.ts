import type { INodeParameters } from 'n8n-workflow';

import { execute } from '../support/engine';
import { startServerAnswering } from '../support/localServer';
import * as order from '../support/orders';
import { keyCredential } from '../support/service';
import { createUsers, rowsOf, toldBy } from '../support/sends';

/** What an operation says of answers with this body, under the credential's Custom Answers. */
async function toldOf(
	parameters: INodeParameters,
	[answerField, acceptedValues]: [unknown, unknown],
	body: string,
	{ status = 200, rows = [{}] as Array<Record<string, string>>, customAnswers = true } = {},
) {
	const server = await startServerAnswering(status, { 'x-ratelimit-remaining': '99999' }, body);
	const credential = { ...keyCredential(server), customAnswers, answerField, acceptedValues };
	const report = await execute({
		parameters,
		rows,
		credential: credential as ReturnType<typeof keyCredential>,
		onError: 'continueErrorOutput',
	});
	await server.close();
	return { told: toldBy(report), report, requests: server.requests };
}

const byStatus: [string, string] = ['status', 'ok, queued'];

test.each<[string, [unknown, unknown], string, string]>([
	['a value that accepts', byStatus, '{"status":"queued"}', 'accepted'],
	['another value', byStatus, '{"status":"invalid"}', 'rejected'],
	['another value in other letters', byStatus, '{"status":"OK"}', 'rejected'],
	['no such field', byStatus, '{"success":false}', 'unknown'],
	['no value', byStatus, '{"status":null}', 'unknown'],
	['text', byStatus, 'ok', 'unknown'],
	['no body', byStatus, '', 'unknown'],
	['a web page', byStatus, '<!doctype html><title>ok</title>', 'unknown'],
	['a value at a path', ['data.0.code', '0'], '{"data":[{"code":0}]}', 'accepted'],
	['another one at a path', ['data.0.code', '0'], '{"data":[{"code":7}]}', 'rejected'],
	['a boolean', ['success', 'true'], '{"success":true,"errors":["late"]}', 'accepted'],
	['a boolean given by an expression', ['success', true], '{"success":true}', 'accepted'],
	['an absent error', ['errors', ''], '{"status":"failed"}', 'accepted'],
	['an empty error', ['errors', ''], '{"errors":[]}', 'accepted'],
	['an error', ['errors', ''], '{"errors":["no consent"]}', 'rejected'],
	['what must not have an error, as text', ['errors', ''], 'fine', 'unknown'],
	['anything', ['', ''], '{"success":false}', 'accepted'],
	['a web page in place of anything', ['', ''], '<html><body>', 'unknown'],
])('With Custom Answers, an answer with %s is %s', async (_, rule, body, outcome) => {
	const { told } = await toldOf(order.smsSend, rule, body, { status: 202 });
	expect(told.map((one) => one.outcome)).toEqual([outcome]);
	expect(told[0]?.details.statusCode).toBe(202);
});

test('The text of a refusal quotes the answer and names Custom Answers, or the field that is missing', async () => {
	const body = '{"status":"invalid","message":"unknown sender"}';
	const { report } = await toldOf(order.smsSend, byStatus, body);
	expect(report.failed[0]?.json).toMatchObject({
		error: 'The service answered 200, but refused the SMS to +919812345679: unknown sender',
		details: {
			description: expect.stringContaining("'Custom Answers' in the credential") as unknown,
		},
	});
	const without = await toldOf(order.smsSend, byStatus, '', { status: 202 });
	expect(without.report.failed[0]?.json.error).toBe(
		"The service answered 202 without the field 'status', so it may or may not have been delivered",
	);
});

test('A batch is refused as a whole, and not sent in halves', async () => {
	const { told, requests } = await toldOf(createUsers(), byStatus, '{"status":"no"}', {
		rows: rowsOf(6),
	});
	expect(told.map(({ outcome }) => outcome)).toEqual(rowsOf(6).map(() => 'rejected'));
	expect(requests).toBe(1);
});

test('Custom Answers do not concern custom requests, and nothing while they are off', async () => {
	const custom = await toldOf(order.customPost, byStatus, '{"rows":[]}');
	const off = await toldOf(order.smsSend, byStatus, '{}', { customAnswers: false });
	expect([custom, off].map(({ told }) => told[0]?.outcome)).toEqual(['accepted', 'accepted']);
});

test('After ten refusals and no success, the rest is not sent', async () => {
	const parameters = { ...order.smsSend, options: { concurrency: 1 } };
	const rows = rowsOf(15).map(({ id }) => ({ id }));
	const { told } = await toldOf(
		{ ...parameters, message: '=For {{ $json.id }}' },
		byStatus,
		'{"status":"wrong key"}',
		{ rows },
	);
	expect(told.filter(({ outcome }) => outcome === 'rejected')).toHaveLength(10);
	expect(told.at(-1)?.details).toMatchObject({ outcome: 'notSent', reason: 'serviceUnavailable' });
});
