import { SharedLedger } from '../../../nodes/CustomerMessaging/delivery/sharedLedger';
import { OtherProcesses } from '../../../nodes/CustomerMessaging/n8n/otherProcesses';
import type { ProcessedStore } from '../../../nodes/CustomerMessaging/n8n/processedStore';

/** n8n's list, which another worker may overwrite with what it had read before. */
function listOf(keys: Set<string>): ProcessedStore {
	return {
		name: 'a node',
		others: new OtherProcesses(),
		confirm: async (confirmed) => {
			for (const key of confirmed) keys.add(key);
			await Promise.resolve();
		},
		add: async (added) => {
			const known = new Set(added.filter((key) => keys.has(key)));
			for (const key of added) keys.add(key);
			return await Promise.resolve(known);
		},
		remove: async (removed) => {
			for (const key of removed) keys.delete(key);
			await Promise.resolve();
		},
	};
}

const open = (keys: Set<string>, isFirst = false) =>
	new SharedLedger(listOf(keys), 'run', 100, isFirst);
const chunk = (name: string, ...keys: string[]) => ({ name, keys });

describe('What all attempts of an execution share', () => {
	it('calls a whole chunk accepted once all of it was', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0', '1'), true);
		await first.settle(
			'a',
			new Map([
				['0', 'accepted'],
				['1', 'accepted'],
			]),
			['0', '1'],
		);
		const earlier = await open(keys).begin(chunk('a', '0', '1'), true);
		expect([...earlier]).toEqual([
			['0', 'accepted'],
			['1', 'accepted'],
		]);
		expect(keys.size).toBe(1);
	});

	it('calls a chunk unknown if it was begun and has no outcome', async () => {
		const keys = new Set<string>();
		await open(keys, true).begin(chunk('a', '0', '1'), true);
		const earlier = await open(keys).begin(chunk('a', '0', '1'), true);
		expect([...earlier]).toEqual([
			['0', 'unknown'],
			['1', 'unknown'],
		]);
	});

	it('distinguishes the rows of a chunk if not all were accepted', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0', '1', '2'), true);
		await first.settle(
			'a',
			new Map([
				['0', 'accepted'],
				['1', 'unknown'],
			]),
			['0', '1', '2'],
		);
		const earlier = await open(keys).begin(chunk('a', '0', '1', '2'), true);
		expect([...earlier]).toEqual([
			['0', 'accepted'],
			['1', 'unknown'],
		]);
	});

	it('is not changed by reading it', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0', '1'), true);
		await first.settle('a', new Map([['0', 'accepted']]), ['0', '1']);
		const before = [...keys];
		expect([...(await open(keys).lookUp([chunk('a', '0', '1')]))]).toEqual([['0', 'accepted']]);
		expect(await open(keys).lookUp([chunk('b', '5')])).toEqual(new Map());
		expect([...keys]).toEqual(before);
	});

	it('is read for many chunks with few calls, until the execution is stopped', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('3', '3'), true);
		await first.settle('3', new Map([['3', 'accepted']]), ['3']);
		await first.begin(chunk('12', '12', '12b'), true);
		await first.settle('12', new Map([['12b', 'accepted']]), ['12', '12b']);
		await first.begin(chunk('20', '20'), true);
		const before = [...keys].sort();

		const store = listOf(keys);
		const add = jest.spyOn(store, 'add');
		const ledger = new SharedLedger(store, 'run', 100, false);
		const chunks = Array.from({ length: 25 }, (_, index) =>
			chunk(String(index), String(index), `${index}b`),
		);
		expect([...(await ledger.lookUp(chunks))]).toEqual([
			['3', 'accepted'],
			['3b', 'accepted'],
			['12b', 'accepted'],
			['20', 'unknown'],
			['20b', 'unknown'],
		]);
		// Ten chunks with each call, and one call for the rows of the chunk that was accepted in part.
		expect(add).toHaveBeenCalledTimes(4);
		expect([...keys].sort()).toEqual(before);

		let calls = 0;
		expect([...(await ledger.lookUp(chunks, () => ++calls > 1))]).toEqual([
			['3', 'accepted'],
			['3b', 'accepted'],
		]);
	});

	it('leaves nothing open if there is nothing to send', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0', '1'), false);
		await first.settle(
			'a',
			new Map([
				['0', 'accepted'],
				['1', 'unknown'],
			]),
			['0', '1'],
		);
		const before = [...keys].sort();
		await open(keys).begin(chunk('a', '0', '1'), true);
		expect([...keys].sort()).toEqual(before);
	});

	it('notes an unknown row as accepted once it was sent again', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0', '1'), true);
		await first.settle('a', new Map([['0', 'unknown']]), ['0', '1']);
		const second = open(keys);
		await second.begin(chunk('a', '0'), false);
		await second.settle('a', new Map([['0', 'accepted']]), ['0']);
		expect([...(await open(keys).lookUp([chunk('a', '0', '1')]))]).toEqual([['0', 'accepted']]);
	});

	it('writes its notes again where another worker has overwritten them', async () => {
		const keys = new Set<string>();
		const run = open(keys, true);
		await run.mark(['mark of the run'], 'a');
		await run.begin(chunk('a', '0'), true);
		keys.clear();
		await run.begin(chunk('b', '1'), true);
		expect(keys).toContain('mark of the run');
		expect([...(await open(keys).begin(chunk('a', '0'), true))]).toEqual([['0', 'unknown']]);
	});

	it('begins the first chunk together with the run', async () => {
		const keys = new Set<string>();
		const run = open(keys, true);
		await run.mark(['mark of the run'], 'a');
		expect(await run.begin(chunk('a', '0'), true)).toEqual(new Map());
		expect([...(await open(keys).begin(chunk('a', '0'), true))]).toEqual([['0', 'unknown']]);
	});

	it('sends the first chunk of a run that began in the same millisecond as another', async () => {
		const keys = new Set(['mark of both']);
		const run = open(keys, true);
		expect([...(await run.mark(['mark of both', 'mark of the run'], 'a'))]).toEqual([
			'mark of both',
		]);
		expect(await run.begin(chunk('a', '0'), true)).toEqual(new Map());
	});

	it('does not bring back what another attempt has taken away', async () => {
		const keys = new Set<string>();
		const first = open(keys, true);
		await first.begin(chunk('a', '0'), true);
		const second = open(keys);
		await second.begin(chunk('a', '0'), true);
		await first.settle('a', new Map(), ['0']);
		await second.begin(chunk('b', '1'), true);
		expect([...(await open(keys).begin(chunk('a', '0'), true))]).toEqual([]);
	});
});

describe('Another process that writes to the same list', () => {
	/** A list, and the keys that the ledger has confirmed. */
	function watched(keys: Set<string>) {
		const list = listOf(keys);
		const confirmed: string[][] = [];
		const store: ProcessedStore = {
			...list,
			confirm: async (own, maxEntries) => {
				confirmed.push(own);
				await list.confirm(own, maxEntries);
			},
		};
		return { store, confirmed, ledger: new SharedLedger(store, 'run', 100, true) };
	}

	it('makes the run confirm its first three chunks, because executions often begin together', async () => {
		const { ledger, confirmed } = watched(new Set());
		await ledger.mark(['mark'], 'a');
		for (const name of ['a', 'b', 'c', 'd']) await ledger.begin(chunk(name, name), true);
		expect(confirmed).toEqual([
			['mark', 'run a begun', 'run a open'],
			['run b begun', 'run b open'],
			['run c begun', 'run c open'],
		]);
	});

	it('makes the run confirm each chunk once it has lost an entry', async () => {
		const keys = new Set<string>();
		const { ledger, store, confirmed } = watched(keys);
		for (const name of ['a', 'b', 'c', 'd']) await ledger.begin(chunk(name, name), true);
		expect([confirmed.length, store.others.areNoticed]).toEqual([3, false]);
		keys.delete('run a begun');
		await ledger.begin(chunk('e', '2'), true);
		expect(store.others.areNoticed).toBe(true);
		expect(confirmed.slice(3)).toEqual([['run e begun', 'run e open']]);
	});
});
