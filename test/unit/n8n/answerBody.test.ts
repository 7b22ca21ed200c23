import { type BodyStream, cutTo, readStart } from '../../../nodes/CustomerMessaging/n8n/transport';

/** A body that arrives in these pieces, and then ends, breaks off or stops arriving. */
function bodyOf(pieces: string[], end: 'ends' | 'breaks' | 'hangs' = 'ends') {
	const seen = { read: 0, destroyed: 0 };
	const body: BodyStream = {
		async *[Symbol.asyncIterator]() {
			for (const piece of pieces) {
				seen.read++;
				yield Buffer.from(piece);
			}
			if (end === 'breaks') throw new Error('aborted');
			if (end === 'hangs') await new Promise(() => undefined);
			return undefined;
		},
		destroy: () => void seen.destroyed++,
	};
	return { body, seen };
}

const never = new AbortController().signal;

test('A body that fits is read whole, and its connection is left open for the next request', async () => {
	const { body, seen } = bodyOf(['{"a":', '"ä"}']);
	expect(await readStart(body, 10, never)).toEqual({ text: '{"a":"ä"}', bytes: 10, isWhole: true });
	expect(seen.destroyed).toBe(0);
});

test('Of a longer body no more is read than shows that it is longer, and its connection is closed', async () => {
	const { body, seen } = bodyOf(['12345', '67890', 'x', 'never read']);
	expect(await readStart(body, 10, never)).toEqual({
		text: '1234567890x',
		bytes: 11,
		isWhole: false,
	});
	expect(seen).toEqual({ read: 3, destroyed: 1 });
});

const broken = { text: '12345', bytes: 5, isWhole: false, isBroken: true };

test('Of a body that breaks off, what arrived is given', async () => {
	const { body } = bodyOf(['12345'], 'breaks');
	expect(await readStart(body, 10, never)).toEqual(broken);
});

test('A body that stops arriving is given up when its time is over, and its connection is closed', async () => {
	const { body, seen } = bodyOf(['12345'], 'hangs');
	const time = new AbortController();
	const reading = readStart(body, 10, time.signal);
	setTimeout(() => time.abort(), 10);
	expect(await reading).toEqual(broken);
	expect(seen.destroyed).toBe(1);
});

test('A body whose time is over before it is read is given up at once', async () => {
	const { body, seen } = bodyOf([], 'hangs');
	const start = await readStart(body, 10, AbortSignal.abort());
	expect(start).toEqual({ ...broken, text: '', bytes: 0 });
	expect(seen.destroyed).toBe(1);
});

test('A body that was read in time is not closed later', async () => {
	const { body, seen } = bodyOf(['1']);
	const time = new AbortController();
	await readStart(body, 10, time.signal);
	time.abort();
	expect(seen.destroyed).toBe(0);
});

test('A text is cut between two characters', () => {
	expect(cutTo(3, 'aäö')).toBe('aä');
	expect(cutTo(4, 'aäö')).toBe('aä');
	expect(cutTo(5, 'aäö')).toBe('aäö');
});
