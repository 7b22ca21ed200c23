import {
	entriesOf,
	type OnceOutcome,
	stateOf,
	toRemove,
} from '../../../nodes/CustomerMessaging/delivery/onceEntries';

const { sent, open, unsure } = entriesOf('K');

test('A message has three entries, which only differ behind its key.', () => {
	expect([sent, open, unsure]).toEqual(['K', 'K open', 'K unsure']);
});

test.each<[string[], string | undefined]>([
	[[], undefined],
	[['other'], undefined],
	[[sent], 'accepted'],
	[[sent, unsure], 'unknown'],
	[[sent, open, unsure], 'inDoubt'],
	// What a crash between two calls of the store can leave.
	[[sent, open], 'inDoubt'],
	[[open], 'inDoubt'],
	[[unsure], 'unknown'],
])('The entries %j mean that the message is %s.', (stored, state) => {
	expect(stateOf('K', new Set(stored))).toBe(state);
});

test.each<[OnceOutcome, string | undefined]>([
	['accepted', 'accepted'],
	['unknown', 'unknown'],
	['inDoubt', 'inDoubt'],
	['rejected', undefined],
	['notSent', undefined],
])('After the outcome %s, the entries that remain mean %s.', (outcome, state) => {
	const removed = toRemove('K', outcome);
	const left = [sent, open, unsure].filter((entry) => !removed.includes(entry));
	expect(stateOf('K', new Set(left))).toBe(state);
	expect(left).toHaveLength({ accepted: 1, unknown: 2, inDoubt: 3 }[String(state)] ?? 0);
});
