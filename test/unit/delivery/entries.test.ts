import {
	listEntries,
	entriesWithout,
	type State,
	readState,
} from '../../../nodes/CustomerMessaging/delivery/entries';

test.each<State | undefined>(['pending', 'accepted', 'unknown', undefined])(
	'A name that was pending and becomes %s is read back as that',
	(state) => {
		const left = new Set<string>(listEntries('name'));
		for (const entry of entriesWithout('name', state)) left.delete(entry);
		expect(readState('name', left)).toBe(state);
	},
);

test('Adding all entries makes every name pending, whatever it was', () => {
	expect(readState('name', new Set(listEntries('name')))).toBe('pending');
});
