import type { INodeParameters } from 'n8n-workflow';

import type { Arrival, Fault } from '../../../sandbox';
import { sized } from '../../propertyRuns';
import { useFastClock } from '../support/clock';
import { useNode } from '../support/node';
import { arrivalsByPush, countsOf, push, rowsOf, toldBy } from '../support/sends';

// Thousands of real requests, some of them sent again after real waits.
jest.setTimeout(1_800_000);

const users = sized(300, 5_000);
/** Each kind strikes in a small run too. */
const often = sized(3, 1);

/** After these faults, the response does not say whether the request was processed. */
const unsure: Fault[] = [
	{ kind: 'resetBeforeAccept', probability: 0.004 * often, seed: 1 },
	{ kind: 'resetAfterAccept', probability: 0.004 * often, seed: 2 },
	{ kind: 'status', status: 500, probability: 0.003 * often, seed: 3 },
	{ kind: 'status', status: 503, probability: 0.003 * often, seed: 4 },
	{ kind: 'statusAfterAccept', status: 500, probability: 0.003 * often, seed: 5 },
	{ kind: 'statusAfterAccept', status: 503, probability: 0.003 * often, seed: 6 },
	{ kind: 'hang', accepted: false, after: 200, first: 3 },
	{ kind: 'hang', accepted: true, after: 300, first: 3 },
	{ kind: 'html', accepted: true, probability: 0.003 * often, seed: 9 },
];
/** Far fewer than the requests in flight, so that none is left for the trial. */
const storm: Fault = { kind: 'status', status: 429, after: 100, first: 5 };
/** Only what hangs takes so long, even if the machine stands still for seconds. */
const requestTimeout = 10;
useFastClock(sized(3, 1));

const isStorm = ({ status }: Arrival) => status === 429;
const isUnsure = ({ outcome, status }: Arrival) =>
	outcome.startsWith('fault:') && (status === null || status >= 500 || outcome === 'fault:html');

const node = useNode({ onError: 'continueRegularOutput' }, { isNewEachTest: true });
beforeEach(() => {
	for (const fault of [storm, ...unsure]) node.sandbox.faults.add(fault);
});

/** Runs the rows, and says what is wrong with how each of them ended, by the requests that arrived for it. */
async function run(
	parameters: INodeParameters,
	rows: Array<{ id: string }>,
	isHonest: (outcome: string, judged: Arrival[], taken: number) => boolean,
) {
	const told = toldBy(await node.start({ parameters, rows }));
	const arrivals = arrivalsByPush(node.sandbox.record);
	const broken = told.flatMap(({ item, platform, outcome }) => {
		const key = `${platform} ${rows[item]?.id}`;
		const all = arrivals.get(key) ?? [];
		const judged = all.filter((arrival) => !isStorm(arrival));
		const taken = all.filter(({ accepted }) => accepted).length;
		const ends = judged.map((one) => one.outcome).join();
		return isHonest(outcome, judged, taken) ? [] : [`${key}: ${outcome}, ${ends}, taken ${taken}`];
	});
	expect(broken).toEqual([]);
	return told;
}

test('Of thousands of sends through 429s and broken connections, none is sent twice and none is lost without a word', async () => {
	node.sandbox.faults.add({ ...storm, after: users });
	const told = await run(
		push({ concurrency: 50, requestTimeout }, ['android', 'web']),
		rowsOf(users),
		(outcome, judged, taken) =>
			judged.length === 1 &&
			(judged.some(isUnsure)
				? outcome === 'unknown' && taken <= 1
				: outcome === 'accepted' && taken === 1),
	);
	expect(node.sandbox.dropped).toBe(0);
	expect(new Set(told.map(({ item, platform }) => `${item} ${platform}`)).size).toBe(2 * users);
	const unknown = node.sandbox.record.filter(isUnsure).length;
	expect(countsOf(told)).toEqual({ accepted: 2 * users - unknown, unknown });
	expect(node.sandbox.faults.list().filter(({ struck }) => struck === 0)).toEqual([]);
});

test('With Resend Unconfirmed only what was unknown is repeated, at most three times', async () => {
	node.sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: '"u000007"' } });
	const told = await run(
		push({ concurrency: 50, requestTimeout, retryUnknown: true }),
		rowsOf(users / 2),
		(outcome, judged) => {
			const last = judged.at(-1);
			if (last === undefined || judged.length > 4 || !judged.slice(0, -1).every(isUnsure))
				return false;
			if (isUnsure(last)) return judged.length === 4 && outcome === 'unknown';
			return last.accepted && outcome === 'accepted';
		},
	);
	expect(told).toHaveLength(users / 2);
	// Besides its four attempts, one may have met the storm.
	expect(told[7]?.outcome).toBe('unknown');
	expect([4, 5]).toContain(told[7]?.details.attempts);
});
