import {
	afterEvent,
	unconfirmed,
	type AttemptEvent,
	type Attempts,
} from '../../sandbox/inbox/page/attempts';

const none: Attempts<string> = { waiting: [], reason: '' };
const sent = (id: number, change: string, lastChange = 0): AttemptEvent<string> => ({
	kind: 'sent',
	id,
	change,
	lastChange,
});
const after = (...events: Array<AttemptEvent<string>>) => events.reduce(afterEvent<string>, none);
const shown = ({ waiting }: Attempts<string>, lastChange: number) =>
	unconfirmed(waiting, lastChange).map(({ change }) => change);

it('The page shows an attempt that has no response, regardless of the server state', () => {
	expect(shown(after(sent(1, 'a')), 99)).toEqual(['a']);
});

it('The page shows an accepted attempt until the server state includes it', () => {
	const attempts = after(sent(1, 'a'), { kind: 'accepted', id: 1, changeNumber: 7 });
	expect(shown(attempts, 6)).toEqual(['a']);
	expect(shown(attempts, 7)).toEqual([]);
	expect(shown(attempts, 8)).toEqual([]);
});

it('The page does not wait for a state that arrived before the response', () => {
	const early = after(sent(1, 'a'));
	expect(shown(early, 7)).toEqual(['a']);
	expect(shown(afterEvent(early, { kind: 'accepted', id: 1, changeNumber: 7 }), 7)).toEqual([]);
});

it('The page removes a failed attempt, keeps the others and shows the reason', () => {
	const attempts = after(sent(1, 'a'), sent(2, 'b'), { kind: 'failed', id: 1, reason: 'No' });
	expect(shown(attempts, 0)).toEqual(['b']);
	expect(attempts.reason).toBe('No');
});

it('The page keeps the reason until the next attempt', () => {
	const failed = after(sent(1, 'a'), sent(2, 'b'), { kind: 'failed', id: 1, reason: 'No' });
	expect(afterEvent(failed, { kind: 'accepted', id: 2, changeNumber: 1 }).reason).toBe('No');
	expect(afterEvent(failed, sent(3, 'c')).reason).toBe('');
});

it('The page forgets confirmed attempts when a new one is sent', () => {
	const attempts = after(
		sent(1, 'a'),
		{ kind: 'accepted', id: 1, changeNumber: 7 },
		sent(2, 'b', 7),
	);
	expect(attempts.waiting.map(({ id }) => id)).toEqual([2]);
});
