import type { INodeParameters } from 'n8n-workflow';

import { ExecutionList } from '../support/executionList';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { push, toldBy } from '../support/sends';
import { freezeClock, keyCredential, useSandbox } from '../support/service';

freezeClock('2026-11-24T14:02:00Z');
const sandbox = useSandbox();
let list: ExecutionList;
beforeEach(() => {
	useNewStore();
	list = new ExecutionList();
	jest.setSystemTime(new Date('2026-11-24T14:02:40Z'));
});

const toOne = push();
const once = (sendOnceKey: string): INodeParameters => ({ sendOnce: true, sendOnceKey });
const start = async (parameters: INodeParameters, mode: 'webhook' | 'manual' = 'webhook') => {
	jest.setSystemTime(Date.now() + 60_000);
	return await list.start({
		parameters,
		rows: [{ id: 'u1', at: '2026-11-24', order: 17 }],
		credential: keyCredential(sandbox()),
		timezone: 'UTC',
		mode,
	});
};
const outcomes = async (parameters: INodeParameters, mode?: 'manual') =>
	toldBy(await start(parameters, mode)).map(({ outcome }) => outcome);

const operations: Array<[string, INodeParameters]> = [
	['push to one person', toOne],
	['email', order.emailSend],
	['SMS', order.smsSend],
	['event', order.trackEvent],
	['custom request', order.customPost],
	['broadcast', order.pushToAll],
];
const inEachRun = [
	'$now',
	'$now.toMillis()',
	'$execution.id',
	'new Date()',
	'new Date().toISOString()',
	'Date.now()',
	'DateTime.now().toISO()',
	'DateTime.local()',
	'DateTime.utc()',
	'Math.random()',
	'["a", "b"].randomItem()',
];

describe('A key of Send Once that differs in each execution is refused:', () => {
	test.each(operations)('%s', async (_, parameters) => {
		const { error } = await start({ ...parameters, ...once('=Sale {{ $now }}') });
		expect(error?.message).toMatch(/^Nothing was sent: Send Once Key .*\$now.*differs/);
		expect(sandbox().record).toEqual([]);
	});

	test.each(inEachRun)('%s', async (code) => {
		const { error } = await start({ ...toOne, ...once(`=Sale {{ ${code} }}`) });
		expect(error?.message).toMatch(/^Nothing was sent: Send Once Key .*differs/);
		expect(sandbox().record).toEqual([]);
	});
});

test.each([
	'$today',
	'$today.toISODate()',
	'$now.toISODate()',
	"$now.startOf('week')",
	'DateTime.local(2026, 11, 24).toISODate()',
	'new Date($json.at).getTime()',
	'$json.random',
])('A key that is the same all day is taken: %s', async (code) => {
	const parameters = { ...toOne, ...once(`=Sale {{ ${code} ?? 1 }}`) };
	expect(await outcomes(parameters)).toEqual(['accepted']);
	expect(await outcomes(parameters)).toEqual(['skipped']);
});

describe('Without a key, Send Once with a field that differs in each execution asks for one:', () => {
	test.each<[string, INodeParameters]>([
		['push to one person', { ...toOne, message: '=It is {{ $now.toISO() }}' }],
		['email', { ...order.emailSend, subject: '=Run {{ $execution.id }}' }],
		['SMS', { ...order.smsSend, message: '=At {{ Date.now() }}' }],
		['custom request', { ...order.customPost, body: '={{ { at: new Date() } }}' }],
		[
			'event',
			{
				...order.trackEvent,
				attributes: {
					assignments: [{ id: '1', name: 'at', value: '={{ $now.toISO() }}', type: 'string' }],
				},
			},
		],
	])('%s', async (_, parameters) => {
		const { error } = await start({ ...parameters, ...once('') });
		expect(error?.message).toMatch(/^Nothing was sent: .*[Ee]nter a key/);
		expect(sandbox().record).toEqual([]);
	});

	test('but not with a key, and not if it differs by its row only', async () => {
		const dated = { ...toOne, message: '=It is {{ $now.toISO() }}' };
		const keyed = { ...dated, ...once('={{ $json.order }}') };
		expect(await outcomes(keyed)).toEqual(['accepted']);
		expect(await outcomes(keyed)).toEqual(['skipped']);
		const byRow = { ...toOne, message: '=Order {{ $json.order }}', ...once('') };
		expect(await outcomes(byRow)).toEqual(['accepted']);
		expect(await outcomes(byRow)).toEqual(['skipped']);
	});
});

describe('Started by hand with Send, a broadcast goes out once a day,', () => {
	const broadcast = { ...order.emailToSegment, testRuns: 'send' };
	const at = (scheduledFor: string) => ({ ...broadcast, sendAt: 'at', scheduledFor });

	test('also if only its schedule was corrected', async () => {
		const first = await start(at('2026-11-25T09:00:00Z'), 'manual');
		expect(first.hints[0]?.message).toMatch(
			/^1 broadcast to segment 42 is scheduled for .*, 09:00.* n8n cannot cancel it\. Correct a wrong time in the account: another run today is skipped, whatever its time\.$/,
		);
		const again = await start(at('2026-11-25T10:00:00Z'), 'manual');
		expect(toldBy(again).map(({ outcome }) => outcome)).toEqual(['skipped']);
		const words = again.hints.map(({ message }) => message).join();
		expect(words).toContain('went out today already, and n8n cannot change or cancel it');
		expect(words).toContain("turn on 'Send Once' with a key of your own");
		expect(sandbox().accepted()).toHaveLength(1);
	});

	test.each<[string, INodeParameters, INodeParameters]>([
		['its subject', { subject: 'One' }, { subject: 'Two' }],
		[
			'a field that differs by itself',
			{ content: '=<p>Seen {{ $now.toISO() }}</p>' },
			{ content: '=<p>Seen {{ $now.toISO() }}</p>' },
		],
	])('also if %s is another one', async (_, one, other) => {
		expect(await outcomes({ ...broadcast, ...one }, 'manual')).toEqual(['accepted']);
		expect(await outcomes({ ...broadcast, ...other }, 'manual')).toEqual(['skipped']);
		expect(sandbox().accepted()).toHaveLength(1);
	});
});
