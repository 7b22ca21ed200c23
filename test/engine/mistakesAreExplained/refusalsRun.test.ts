import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { run, useSandbox } from '../support/service';

const sandbox = useSandbox();

interface Failure {
	error: string;
	details: { outcome: string; problems: Array<{ field: string; message: string }> };
}

/** What is wrong with a whole run, from the error output. It must be the same for every row. */
async function problemsOf(parameters: INodeParameters, rows: IDataObject[] = [{ a: 1 }, { a: 2 }]) {
	const { output, failed } = await run(sandbox(), parameters, {
		rows,
		onError: 'continueErrorOutput',
	});
	expect(sandbox().record).toEqual([]);
	expect(output).toEqual([]);
	expect(failed.map(({ json }) => json.a)).toEqual(rows.map(({ a }) => a));
	const [first, ...others] = failed.map(({ json }) => json as unknown as Failure);
	for (const other of others) expect(other.details).toEqual(first?.details);
	expect(first?.details.outcome).toBe('invalid');
	return first?.details.problems ?? [];
}

describe('Too many broadcasts', () => {
	it.each([
		['push broadcastAll', order.pushToAll],
		['push broadcastSegment', order.pushToSegment],
		['email broadcast', order.emailBroadcast],
		['email broadcastAll', order.emailToAll],
		['email broadcastSegment', order.emailToSegment],
		['sms broadcast', order.smsBroadcast],
		['sms broadcastAll', order.smsToAll],
		['sms broadcastSegment', order.smsToSegment],
	])('%s for two rows sends nothing at all by default', async (_, parameters) => {
		expect(await problemsOf(parameters)).toEqual([
			{
				field: 'maxBroadcasts',
				label: 'Max Broadcasts',
				message: expect.stringContaining('Max Broadcasts') as string,
			},
		]);
		const { error, output } = await run(sandbox(), parameters, { rows: [{}, {}] });
		expect(error?.message).toContain('Max Broadcasts');
		expect([output, sandbox().record]).toEqual([[], []]);
	});

	it('are refused if there is one more than allowed', async () => {
		const rows = [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }];
		const [problem] = await problemsOf({ ...order.emailToAll, maxBroadcasts: 3 }, rows);
		expect(problem?.message).toContain('4 broadcasts');
	});

	it('are counted for each segment separately', async () => {
		const parameters = { ...order.smsToSegment, segment_id: '={{ $json.segment }}' };
		await run(sandbox(), parameters, { rows: [{ segment: 1 }, { segment: 2 }, { segment: '3' }] });
		expect(sandbox().accepted()).toHaveLength(3);
	});

	it('are counted together if a segment is written in two ways', async () => {
		const parameters = { ...order.smsToSegment, segment_id: '={{ $json.segment }}' };
		const [problem] = await problemsOf(parameters, [
			{ a: 1, segment: 7 },
			{ a: 2, segment: ' 7 ' },
		]);
		expect(problem?.field).toBe('maxBroadcasts');
	});

	it('are counted for each platform separately', async () => {
		await run(sandbox(), { ...order.pushToAll, platforms: ['web', 'android', 'ios'] });
		expect(sandbox().accepted()).toHaveLength(3);
	});
});

describe('What holds for the whole run', () => {
	it.each<[string, string, INodeParameters]>([
		['an unknown resource', 'operation', { ...order.pushSend, resource: 'fax' }],
		['an unknown operation', 'operation', { ...order.pushSend, operation: 'shout' }],
		['test runs of an unknown kind', 'testRuns', { ...order.pushToAll, testRuns: 'Send' }],
		['no broadcasts at all', 'maxBroadcasts', { ...order.pushToAll, maxBroadcasts: 0 }],
		['a fraction of a broadcast', 'maxBroadcasts', { ...order.pushToAll, maxBroadcasts: 1.5 }],
		...(
			[
				['batchSize', order.createUser, [0, 1.5]],
				['batchSize', order.trackEvent, [1_001]],
				['concurrency', order.pushSend, [0, -1, 501]],
				['requestTimeout', order.pushSend, [0]],
				['maxWait', order.pushSend, [-1, 10_001, '={{ "long" }}']],
				['previewOnly', order.pushSend, ['={{ "maybe" }}']],
			] as Array<[string, INodeParameters, Array<string | number>]>
		).flatMap(([option, parameters, values]) =>
			values.map((value): [string, string, INodeParameters] => [
				`${option} ${value}`,
				option,
				{ ...parameters, options: { [option]: value } },
			]),
		),
		['an unknown host', 'host', { ...order.customPost, host: 'elsewhere' }],
		['an unknown limit', 'api', { ...order.customPost, api: 'fax' }],
	])('refuses %s', async (_, field, parameters) => {
		const problems = await problemsOf(parameters);
		expect(problems.map((problem) => problem.field)).toEqual([field]);
	});
});

describe('A parameter that holds for the whole run', () => {
	const rows = [
		{ a: 1, test: false, key: 'apiKey' },
		{ a: 2, test: true, key: 'partnerToken' },
	];

	it.each<[string, string, INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Concurrency', 'concurrency', { options: { concurrency: '={{ $json.a }}' } }],
		['Authentication', 'authentication', { authentication: '={{ $json.key }}' }],
	])('is refused by its label if it differs between items: %s', async (label, field, changes) => {
		const parameters = { ...order.pushSend, ...changes };
		const { error } = await run(sandbox(), parameters, { rows });
		expect(error?.message).toContain(`'${label}' holds for the whole run`);
		expect(error?.message).toContain('for item 1');
		const problems = await problemsOf(parameters, rows);
		expect(problems.map((problem) => problem.field)).toEqual([field]);
	});

	it('is followed if its expression gives the same for all items', async () => {
		const options = { previewOnly: '={{ $json.a > 0 }}', sendDuplicates: true };
		const { output } = await run(sandbox(), { ...order.pushSend, options }, { rows });
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'preview']);
	});
});

it('Refuses a row whose expression cannot be read, and names the parameter', async () => {
	const parameters = {
		...order.pushSend,
		title: "={{ $json.a === 1 ? 'Hello' : $('Nowhere').item.json.title }}",
	};
	const rows = [{ a: 1 }, { a: 2 }];
	const { output, failed } = await run(sandbox(), parameters, {
		rows,
		onError: 'continueErrorOutput',
	});

	expect(sandbox().record).toHaveLength(1);
	expect(output).toHaveLength(1);
	const failures = failed.map(({ json }) => json as unknown as Failure);
	expect(failures.map(({ details }) => details.problems.map(({ field }) => field))).toEqual([
		['title'],
	]);

	sandbox().reset();
	const { error } = await run(sandbox(), parameters, { rows });
	expect(sandbox().record).toEqual([]);
	expect(error?.message).toMatch(
		/^Nothing was sent: The expression in 'Title' cannot be evaluated: .* \(item 1\)$/,
	);
});
