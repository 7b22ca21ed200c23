import { groupRows } from '../../sandbox/inbox/page/entries';
import { describeAll } from '../../sandbox/inbox/page/words';
import type { Row } from '../../sandbox/inbox/row';

let lastSeq = 0;
beforeEach(() => (lastSeq = 0));

const rowOf = (change: Partial<Row> = {}): Row => ({
	seq: ++lastSeq,
	time: 1_000 * lastSeq,
	...{ channel: 'push', platform: 'web', outcome: 'accepted', accepted: true, status: 200 },
	...{ audience: 'everyone', to: '', title: 'Sale', text: 'Now', search: '' },
	schedule: { kind: 'now' },
	check: null,
	...change,
});
const partsOf = (...rows: Row[]) => groupRows(rows).map(({ parts }) => parts.map(({ seq }) => seq));

describe('The list', () => {
	it('shows the platforms of a campaign as one entry, also with others between them', () => {
		const rows = [
			rowOf(),
			rowOf({ platform: null, channel: 'email', title: 'Mail' }),
			rowOf({ platform: 'android', outcome: 'fault:status', accepted: false }),
			rowOf({ platform: 'ios' }),
		];
		expect(partsOf(...rows)).toEqual([[1, 3, 4], [2]]);
	});

	it.each<[string, Partial<Row>]>([
		['another audience', { audience: 'segment', to: '42' }],
		['another text', { text: 'Later' }],
		['the same platform', { platform: 'web' }],
		['a time that is minutes later', { time: 200_000 }],
	])('shows a push with %s as an entry of its own', (_, change) => {
		expect(partsOf(rowOf(), rowOf({ platform: 'ios', ...change }))).toEqual([[1], [2]]);
	});

	it('begins a new entry if the same campaign is sent again', () => {
		const again = (['web', 'ios', 'web', 'ios'] as const).map((platform) => rowOf({ platform }));
		expect(partsOf(...again)).toEqual([
			[1, 2],
			[3, 4],
		]);
	});

	it('folds credential tests that follow each other with the same outcome', () => {
		const test = (change: Partial<Row> = {}) =>
			rowOf({ channel: 'user', platform: null, check: 'credential', ...change });
		expect(partsOf(test(), test(), test({ outcome: 'unauthorized' }), rowOf(), test())).toEqual([
			[1, 2],
			[3],
			[4],
			[5],
		]);
	});
});

test('The outcome of a campaign is the one of its platforms, or how many were accepted', () => {
	const good = rowOf();
	const bad = rowOf({ outcome: 'rejected', accepted: false });
	expect(describeAll([good, good])).toEqual({ words: 'Accepted', tone: 'good' });
	expect(describeAll([bad])).toEqual({ words: 'Rejected', tone: 'bad' });
	expect(describeAll([good, bad, good])).toEqual({ words: '2 of 3', tone: 'warn' });
});
