import { decide, Journal } from '../../../../nodes/CustomerMessaging/engine/record/journal';
import {
	type Names,
	NamesInUse,
	type State,
} from '../../../../nodes/CustomerMessaging/engine/record/names';
import { Window } from '../../../../nodes/CustomerMessaging/engine/record/window';
import { Policy } from '../../../../nodes/CustomerMessaging/engine/policy';

/** The entries of a list in which these names have these states. */
const entriesOf = (states: Record<string, State>) =>
	Object.entries(states).flatMap(([name, state]) =>
		state === 'pending' ? [name, `${name} ?`] : [state === 'accepted' ? name : `${name} ?`],
	);

const all: Names = { executionKey: 'h', key: 'k', own: ['o'] };
const anyway: Names = { ...all, ignoresKeys: true };
const [accepted, unknown, pending] = ['accepted', 'unknown', 'pending'] as const;
const three = ['h', 'k', 'o'];
const stronger: Record<string, State> = { h: pending, k: unknown };

describe('A message', () => {
	/** By hand: its names; their states in the list; what is known; when it is sent; which names it then holds. */
	test.each<[string, Names, Record<string, State>, known: string, sent: string, held?: string[]]>([
		['without a state', all, {}, '', 'always', three],
		['without a name', {}, {}, '', 'always', []],
		['that was accepted', all, { h: accepted }, 'accepted', 'never'],
		['that is unknown', all, { h: unknown }, 'unknown', 'withRetryUnknown', three],
		['that is pending', all, { h: pending }, 'pending', 'withRetryUnknown', three],
		['with an accepted key', all, { k: accepted }, 'accepted by key', 'never'],
		['with a pending key', all, { k: pending }, 'pending by key', 'withRetryUnknown', three],
		['with an accepted own key', all, { o: accepted }, 'accepted by key', 'never'],
		['with a stronger key', all, stronger, 'unknown by key', 'withRetryUnknown', three],
		['with a weaker key', all, { h: unknown, k: pending }, 'unknown', 'withRetryUnknown', three],
		['whose names say the same', all, { h: accepted, k: accepted }, 'accepted', 'never'],
		['sent anyway', anyway, { o: accepted }, '', 'always', ['h', 'k']],
		['sent anyway, but by its key', anyway, { k: accepted }, 'accepted by key', 'never'],
		['sent anyway that nobody sent', anyway, {}, '', 'always', three],
	])('%s', (_, names, states, said, sent, held = []) => {
		const stored = new Set(entriesOf(states));
		for (const retryUnknown of [false, true]) {
			const decided = decide(names, stored, new Map(), new Policy({ retryUnknown }));
			const { known } = decided;
			expect(known ? `${known.state}${known.byKey ? ' by key' : ''}` : '').toBe(said);
			const isSent = sent === 'always' || (sent === 'withRetryUnknown' && retryUnknown);
			expect(decided.held).toEqual(isSent ? held : undefined);
			if (isSent) expect(decided.kept).toEqual(held.flatMap((name) => [name, `${name} ?`]));
		}
	});

	const stored = new Set(entriesOf({ h: pending, k: pending }));
	const decideOnce = (names: Names, ended: Array<[string, State | undefined]>, list = stored) =>
		decide(names, list, new Map(ended), new Policy({ retryUnknown: false }));

	test('that has ended here counts as it ended, although the list still calls it pending', () => {
		expect(decideOnce(all, [['h', accepted]]).known).toEqual({ state: accepted, byKey: false });
		// What was definitely not delivered is removed from the list before the next claim.
		expect(decideOnce(all, [['h', undefined]]).known?.state).toBe(pending);
	});

	test.each<[State, kept: string[]]>([
		[accepted, ['k']],
		[unknown, ['k ?']],
		[pending, ['k ?']],
	])('that is not sent, and %s, leaves its missing key to others', (state, kept) => {
		const list = new Set(entriesOf({ h: state }));
		expect(decideOnce(all, [], list).kept).toEqual(kept);
		expect(decideOnce(all, [], new Set([...list, 'k'])).kept).toEqual([]);
	});
});

let worlds = 0;

/** A run that sends messages which are their own names, and its list. */
function world() {
	const list = new Set<string>();
	let fails = false;
	const entries = {
		count: async () => await Promise.resolve(list.size),
		async add(added: readonly string[]) {
			const before = new Set(added.filter((entry) => list.has(entry)));
			for (const entry of added) list.add(entry);
			return await Promise.resolve(before);
		},
		async remove(gone: string[]) {
			if (fails) throw new Error('The connection is lost');
			for (const entry of gone) list.delete(entry);
			return await Promise.resolve();
		},
	};
	const journal = new Journal<string>(
		{ isLocked: true, exclusively: async (work) => await work(entries) },
		{
			namesOf: (name) => ({ executionKey: name }),
			policy: new Policy({ retryUnknown: false }),
			window: new Window(1, 20),
			keeps: () => 5_000,
			namesInUse: new NamesInUse(`list ${++worlds}`, { execution: '1' }),
			memory: {},
		},
	);
	const breaks = (isBroken: boolean) => (fails = isBroken);
	return { journal, list, breaks };
}

describe('The journal', () => {
	test('records messages as pending, as many as there is room for, and then how they ended', async () => {
		const { journal, list } = world();
		const messages = Array.from({ length: 30 }, (_, index) => `m${index}`);
		const claim = await journal.claim(messages, 0);
		expect(claim.claimed).toEqual(messages.slice(0, 10));
		expect(claim.later).toEqual(messages.slice(10));
		expect(list.size).toBe(20);
		expect(journal.room(20, 0)).toBe(0);
		for (const message of claim.claimed) journal.settle(message, 'accepted');
		journal.settle('m0', undefined);
		expect(journal.room(20, 0)).toBe(10);
		expect(await journal.finish()).toEqual({ inDoubt: 0, isLocked: true });
		expect([...list]).toEqual(messages.slice(0, 10));
	});

	test('gives back what is still being claimed once nothing more may be sent', async () => {
		const { journal, list } = world();
		const claiming = journal.claim(['a'], 0);
		journal.close();
		expect(await claiming).toEqual({ claimed: [], known: new Map(), later: [] });
		expect(list.size).toBe(0);
	});

	test('counts what it could not write as in doubt, but tries once more for what was accepted', async () => {
		const { journal, list, breaks } = world();
		await journal.claim(['a', 'b', 'c'], 0);
		journal.settle('a', 'accepted');
		journal.settle('b', 'unknown');
		breaks(true);
		await journal.flush();
		breaks(false);
		const { inDoubt, writeError } = await journal.finish();
		expect([inDoubt, String(writeError)]).toEqual([1, 'Error: The connection is lost']);
		expect([...list].sort()).toEqual(['a', 'b', 'b ?', 'c', 'c ?']);
	});
});
