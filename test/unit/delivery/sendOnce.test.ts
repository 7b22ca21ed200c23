import { SendOnce } from '../../../nodes/CustomerMessaging/delivery/sendOnce';
import { OtherProcesses } from '../../../nodes/CustomerMessaging/n8n/otherProcesses';
import type { ProcessedStore } from '../../../nodes/CustomerMessaging/n8n/processedStore';
import type { Outcome } from '../../../nodes/CustomerMessaging/shared/outcome';

/** n8n's list, which is read and written as a whole. `before` and `after` run around the calls that add keys. */
class List {
	keys: string[] = [];
	calls = 0;
	before: (call: number) => void = () => {};
	after: (call: number) => void = () => {};

	/** The list as one worker sees it. */
	store(name: string): ProcessedStore {
		return {
			name,
			others: new OtherProcesses(),
			confirm: async () => {
				throw new Error('Send Once confirms its claims itself');
			},
			add: async (added) => {
				const call = ++this.calls;
				this.before(call);
				const known = new Set(added.filter((key) => this.keys.includes(key)));
				this.keys.push(...added.filter((key) => !known.has(key)));
				this.after(call);
				return await Promise.resolve(known);
			},
			remove: async (removed) => {
				this.keys = this.keys.filter((key) => !removed.includes(key));
				await Promise.resolve();
			},
		};
	}
}

let random = 0;
/** Each run has its own name, as if it ran in a separate process. */
const open = (list: List, { retryUnknown = false, stopped = false } = {}) =>
	new SendOnce(list.store(`worker ${++random}`), {
		retryUnknown,
		stopped: () => stopped,
		clock: { now: () => 0, sleep: async () => await Promise.resolve() },
		random: () => ++random,
		failed: (error) => {
			throw error;
		},
	});

const accepted: Outcome = {
	outcome: 'accepted',
	response: null,
	attempts: 1,
	rateLimitRemaining: null,
};
const rejected: Outcome = { outcome: 'rejected', statusCode: 400, response: null, attempts: 1 };
const unknown: Outcome = { outcome: 'unknown', attempts: 1 };

async function claimedBy(once: SendOnce, keys: string[], groupSize = 10): Promise<string[]> {
	const claim = await once.claim(keys, groupSize);
	return [...(claim?.claimed ?? [])];
}

async function statesOf(once: SendOnce, keys: string[]) {
	const claim = await once.claim(keys, 10);
	return Object.fromEntries(claim?.known ?? []);
}

describe('A message that was claimed', () => {
	it('is known as accepted, unknown or new to the next run, as it ended', async () => {
		const list = new List();
		const first = open(list);
		await first.claim(['a', 'b', 'c'], 10);
		first.note('a', accepted);
		first.note('b', unknown);
		first.note('c', rejected);
		await first.finish();
		expect(list.keys).toHaveLength(3);
		const second = open(list);
		expect(await statesOf(second, ['a', 'b', 'c'])).toEqual({ a: 'accepted', b: 'unknown' });
	});

	it('is in doubt if the run ended before its outcome', async () => {
		const list = new List();
		await open(list).claim(['a'], 10);
		const second = open(list);
		expect(await statesOf(second, ['a'])).toEqual({ a: 'inDoubt' });
		expect(await claimedBy(open(list, { retryUnknown: true }), ['a'])).toEqual(['a']);
	});

	it('is in doubt if it may have been delivered when the run was stopped', async () => {
		const list = new List();
		const first = open(list, { stopped: true });
		await first.claim(['a'], 10);
		first.note('a', unknown);
		await first.finish();
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'inDoubt' });
	});

	it('waits for the next group if its own is full, and leaves nothing behind', async () => {
		const list = new List();
		const once = open(list);
		expect(await claimedBy(once, ['a', 'b', 'c'], 2)).toEqual(['a', 'b']);
		expect(list.keys.filter((key) => key === 'c' || key.startsWith('c '))).toEqual([]);
		once.note('a', accepted);
		once.note('b', accepted);
		expect(await claimedBy(once, ['c'], 2)).toEqual(['c']);
	});

	it('keeps its entries if a message that was not claimed gets an outcome', async () => {
		const list = new List();
		const first = open(list);
		await first.claim(['a'], 10);
		first.note('a', accepted);
		await first.finish();
		const second = open(list);
		await second.claim(['a', 'b'], 10);
		second.note('a', rejected);
		second.note('b', rejected);
		await second.finish();
		expect(await statesOf(open(list), ['a', 'b'])).toEqual({ a: 'accepted' });
	});
});

describe('Another worker that overwrites the list', () => {
	it('makes the run claim its messages again', async () => {
		const list = new List();
		list.after = (call) => {
			if (call === 1) list.keys = [];
		};
		const once = open(list);
		expect(await claimedBy(once, ['a'])).toEqual(['a']);
		expect(list.calls).toBe(4);
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'inDoubt' });
	});

	it('keeps a message to itself if it claimed the same one', async () => {
		const list = new List();
		const other = new List();
		await open(other).claim(['a'], 10);
		list.after = (call) => {
			// The other worker had read the list before this claim.
			if (call === 1) list.keys = [...other.keys];
		};
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'inDoubt' });
	});

	it('loses no outcome, because the next call writes it again', async () => {
		const list = new List();
		const once = open(list);
		await once.claim(['a'], 10);
		once.note('a', accepted);
		await once.finish();
		list.keys = [];
		await once.claim(['b'], 10);
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'accepted' });
	});

	it('makes nobody get the last message twice, because the end of the run writes it again', async () => {
		const list = new List();
		const once = open(list);
		await once.claim(['a'], 10);
		list.keys = [];
		once.note('a', accepted);
		let lost = 0;
		list.after = () => {
			if (++lost === 1) list.keys = [];
		};
		await once.finish();
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'accepted' });
	});

	it('makes nobody get the last message twice, because a run with others looks again after a pause', async () => {
		const list = new List();
		const lostAfter = new Set([1]);
		list.after = (call) => {
			if (lostAfter.has(call)) list.keys = [];
		};
		const once = open(list);
		await once.claim(['a'], 10);
		once.note('a', accepted);
		// Nothing is missing when the run ends, but another worker writes a moment later what it has read before.
		lostAfter.add(list.calls + 1);
		await once.finish();
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'accepted' });
	});

	it('leaves no accepted message in doubt at the end of a run', async () => {
		const list = new List();
		const once = open(list);
		await once.claim(['a'], 10);
		const readByOther = [...list.keys];
		once.note('a', accepted);
		list.before = () => {
			list.keys.push(...readByOther.filter((key) => !list.keys.includes(key)));
			list.before = () => {};
		};
		await once.finish();
		expect(await statesOf(open(list), ['a'])).toEqual({ a: 'accepted' });
	});

	it('leaves no accepted message in doubt, because the end of the next group removes its entries again', async () => {
		const list = new List();
		const once = open(list);
		await once.claim(['a', 'b'], 10);
		const readByOther = [...list.keys];
		once.note('a', accepted);
		once.note('b', rejected);
		await once.claim(['c'], 10);
		list.keys.push(...readByOther.filter((key) => !list.keys.includes(key)));
		once.note('c', accepted);
		await once.finish();
		expect(await statesOf(open(list), ['a', 'b', 'c'])).toEqual({
			a: 'accepted',
			// Another run may have claimed what was not delivered, so its entries are left alone.
			b: 'inDoubt',
			c: 'accepted',
		});
	});

	it('leaves no accepted message in doubt although its entries come back more than once', async () => {
		const list = new List();
		const once = open(list);
		const keys = ['a', 'b', 'c', 'd'];
		let readByOther: string[] = [];
		list.before = () => {
			list.keys.push(...readByOther.filter((key) => !list.keys.includes(key)));
			readByOther = [];
		};
		for (const key of keys) {
			await once.claim([key], 10);
			// The other worker writes what it reads now after the entries of this message are removed.
			readByOther = [...list.keys];
			once.note(key, accepted);
		}
		await once.finish();
		expect(await statesOf(open(list), keys)).toEqual(
			Object.fromEntries(keys.map((key) => [key, 'accepted'])),
		);
	});

	it('ends the run if it never stops', async () => {
		const list = new List();
		list.after = () => {
			list.keys = [];
		};
		await expect(open(list).claim(['a'], 10)).rejects.toThrow('Other workers keep overwriting');
	});
});
