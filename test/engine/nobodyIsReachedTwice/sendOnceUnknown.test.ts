import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { useAttempts } from '../support/attempts';
import { accountOf, countsOf, idOf, push, rowsOf, toldBy } from '../support/sends';

const use = useAttempts();

const once = (options: INodeParameters = {}): INodeParameters => ({
	...push(options),
	sendOnce: true,
	sendOnceKey: 'spring sale',
});
const start = async (count: number, options?: INodeParameters) =>
	await use().list.start({
		parameters: once(options),
		rows: rowsOf(count),
		credential: accountOf(use().sandbox),
		onError: 'continueErrorOutput',
	});

/** What n8n writes to its log during a run. */
function logged(): string[] {
	const lines: string[] = [];
	jest.spyOn(Container.get(Logger), 'warn').mockImplementation((line) => void lines.push(line));
	return lines;
}
afterEach(() => jest.restoreAllMocks());

test('The day after, a warning counts what may never have arrived, and Retry Unknown sends it', async () => {
	// Every other row fails, because the node pauses once several fail in a row.
	for (let row = 1; row < 80; row += 2)
		use().sandbox.faults.add({ kind: 'status', status: 503, match: { bodyText: idOf(row) } });
	const faulty = await start(80, { concurrency: 1 });
	expect(countsOf(toldBy(faulty))).toEqual({ accepted: 40, unknown: 40 });
	use().sandbox.faults.clear();
	const before = use().sandbox.record.length;

	const lines = logged();
	const nextDay = await start(80);
	expect(use().sandbox.record).toHaveLength(before);
	expect(countsOf(toldBy(nextDay))).toEqual({ skipped: 80 });
	expect(
		toldBy(nextDay).map(({ item, details }) => details.earlierOutcome === outcomeOf(item)),
	).toEqual(Array(80).fill(true));
	const warnings = nextDay.hints.filter(({ type }) => type === 'warning');
	expect(warnings).toHaveLength(1);
	expect(warnings[0]?.message).toMatch(/40 messages .* may never have arrived.*'Retry Unknown'/);
	expect(nextDay.hints.map(({ message }) => message)).toContain(
		'Send Once: 40 messages were skipped, because this node has sent them before. To send them again on purpose, turn Send Once off for one run.',
	);
	expect(lines.join()).toMatch(/40 messages .* may never have arrived/);
	// Many workflows write to the same log.
	expect(lines[0]).toMatch(/^'Customer Messaging' in workflow .*, execution \S+: Send Once: /);

	const repaired = await start(80, { retryUnknown: true });
	expect(countsOf(toldBy(repaired))).toEqual({ skipped: 40, accepted: 40 });
	const last = await start(80);
	expect(countsOf(toldBy(last))).toEqual({ skipped: 80 });
	expect(last.hints.filter(({ type }) => type === 'warning')).toEqual([]);
});

const outcomeOf = (row: number) => (row % 2 === 1 ? 'unknown' : 'accepted');

test('With Stop Workflow, a long list of which little is new is begun, and only what is new is sent', async () => {
	await start(40);
	const credential = { ...accountOf(use().sandbox), pushLimit: 10 };
	const { output, error, hints } = await use().list.start({
		parameters: once({ maxWait: 1 }),
		rows: rowsOf(43),
		credential,
	});
	expect(error).toBeUndefined();
	expect(output.map(({ json }) => json.outcome)).toEqual([
		...Array<string>(40).fill('skipped'),
		...Array<string>(3).fill('accepted'),
	]);
	expect(use().sandbox.record).toHaveLength(43);
	expect(hints.map(({ message }) => message).join()).not.toContain('is not sent');
});
