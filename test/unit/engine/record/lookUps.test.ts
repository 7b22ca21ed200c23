import type { State } from '../../../../nodes/CustomerMessaging/engine/record/names';
import { Marks } from '../../../../nodes/CustomerMessaging/engine/record/marks';
import { decideRecipient } from '../../../../nodes/CustomerMessaging/engine/record/lookUps';
import type { EntryList } from '../../../../nodes/CustomerMessaging/engine/record/store';
import type { NodeMemory } from '../../../../nodes/CustomerMessaging/n8n/memory';

const none = undefined;

type States = Array<State | undefined>;
test.each<[decided: State | 'inDoubt' | undefined, isMissing: boolean, ...States[]]>([
	[none, false, [none], [none, none]],
	['inDoubt', true, [none], [none, none], [none, 'accepted']],
	['accepted', false, ['accepted']],
	['accepted', true, ['accepted', 'accepted']],
	['unknown', false, ['unknown', 'unknown']],
	['pending', true, ['pending']],
	['inDoubt', false, ['accepted', none], ['accepted', 'unknown']],
	['inDoubt', false, ['pending', 'accepted', 'accepted']],
])('A retry believes %s of a list that may lack some (%j)', (decided, isMissing, ...all) => {
	for (const states of all)
		expect([states, decideRecipient(states, isMissing)]).toEqual([states, decided]);
});

describe('The marks of an execution', () => {
	const startMs = Date.UTC(2027, 0, 15, 23, 30);
	const established = `established ${startMs}`;
	const whole = [established, 'execution 7 2027-01-15', 'execution 7 2027-01-16'];
	const periods = ['month 2027-01', 'day 2027-01-15', 'hour 2027-01-15T23'];
	const attempt = { execution: '7', establishedAtMs: startMs, nowMs: startMs };
	const marksOf = (memory: NodeMemory, isRetry = false) =>
		new Marks(memory, { ...attempt, isRetry, hasKeys: false });
	/** A list that holds the second entry of the mark, as a look-up leaves it that was interrupted, or not. */
	const listWith = (isForged: boolean): EntryList => ({
		count: async () => await Promise.resolve(9),
		add: async (entries) => await Promise.resolve(new Set(isForged ? entries : [])),
		remove: async () => await Promise.resolve(),
	});

	test.each<[string, NodeMemory, isRetry: boolean, isEmpty: boolean, left: string[]]>([
		['a first attempt', {}, false, true, ['first', ...periods, ...whole]],
		['its later rounds and tries', { marked: {} }, false, false, periods],
		['a twin', { marked: { own: '7' } }, false, false, [...periods, `${established} twins`]],
		['a retry', {}, true, false, [...periods, `${established} retried`]],
	])('are left by %s', (_, memory, isRetry, isEmpty, left) => {
		expect(marksOf(memory, isRetry).leave(isEmpty)).toEqual(left);
	});

	test.each<[string, NodeMemory, stored: string[], isForged: boolean, isTwin: boolean]>([
		['nothing', {}, [], false, false],
		['the mark of a twin', {}, [established], false, true],
		['the mark of its own retry', {}, [`${established} retried`], false, false],
		['a mark that a look-up has left', {}, [established], true, false],
		['a mark, and none that only it leaves', { mayBeMarked: true }, [established], false, true],
		['marks a call may have left', { mayBeMarked: true }, whole, false, false],
		['its own marks, in a later round', { marked: {} }, [established], false, false],
	])('tell it from a twin where the list holds %s', async (_, memory, stored, isForged, isTwin) => {
		const marks = marksOf(memory);
		marks.leave(false);
		marks.read(new Set(stored));
		expect(await marks.areOfTwin(listWith(isForged))).toBe(isTwin);
	});

	test.each([
		['none', [], false],
		['that of a twin', [established], true],
	])('are read once: %s, if the list now holds its own', async (_, stored, isTwin) => {
		const marks = marksOf({});
		for (const found of [stored, whole]) {
			marks.leave(false);
			marks.read(new Set(found));
		}
		expect(await marks.areOfTwin(listWith(false))).toBe(isTwin);
		// What is looked up again may have been left by the look-up before.
		expect(await marks.areOfTwin(listWith(true))).toBe(isTwin);
	});

	test('are trusted only once they were written', async () => {
		const memory: NodeMemory = {};
		const marks = marksOf(memory);
		marks.leave(false);
		marks.read(new Set());
		await marks.areOfTwin(listWith(false));
		expect(memory).toEqual({ mayBeMarked: true });
		for (const isTwin of [false, true]) {
			marks.trust(isTwin);
			expect(memory.marked).toEqual({});
		}
	});
});
