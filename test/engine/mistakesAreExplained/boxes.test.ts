import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { useLogLines } from '../support/logLines';
import { hintsIn, inShort, useNode, wordsOf } from '../support/node';
import { emailToAll, pushToAll } from '../support/orders';
import { email, sms } from '../support/mistakes';
import { push } from '../support/sends';

freezeClock('2026-10-28T12:00:00Z');
const lines = useLogLines();
const node = useNode({ timezone: 'Europe/Berlin' });
const goingOn = { onError: 'continueRegularOutput' } as const;

describe('What a run tells fits into three boxes:', () => {
	const rows = [
		{ id: 'K-1', title: '' },
		{ id: 'K-2', title: 'Hi' },
		{ id: 'K-2', title: 'Hi' },
	];
	const titled = { ...push(), title: '={{ $json.title }}' };

	test('what happened first, with what to do, and each number once', async () => {
		const run = await node.start({ parameters: titled, rows, ...goingOn });
		expect(run.hints.map(({ type }) => type)).toEqual(['warning', 'info']);
		expect(hintsIn(run).split('\n')).toEqual([
			'1 accepted, 1 skipped, 1 not sent: Title (1). What failed says why in its item.',
			'{{ $json.title }} in Title is empty. Correct it, or leave such items out with a Filter node. Item 0 (K-1).',
			expect.stringMatching(/^Item 2 \(K-2\): 1 message was skipped because this run has the same/),
		]);
	});

	test('a preview counts once', async () => {
		const shown = { ...titled, options: { previewOnly: true } };
		const told = hintsIn(await node.start({ parameters: shown, rows, ...goingOn }));
		expect(told).toMatch(/^1 previewed, 1 skipped, 1 not sent: Title \(1\)\./);
		expect(told).not.toMatch(/Preview: |requests? in all/);
	});

	test.each<[string, INodeParameters]>([
		['sms', { ...sms(), message: '={{ "Hé – ".repeat(120) }}' }],
		['email', { ...email(), content: '={{ "Hé – ".repeat(30000) }}' }],
		['broadcast', pushToAll],
	])('never more, whatever there is to say (%s)', async (_, parameters) => {
		const odd: IDataObject[] = [...rows, { id: 'K-3', title: 'KÃ¶ln &amp;' }, { id: 'K-4' }];
		for (const mode of ['manual', 'trigger'] as const)
			for (const options of [{}, { previewOnly: true }, { leaveOutInvalid: true }]) {
				const asked = { ...parameters, testRuns: 'send', options };
				const run = await node.start({ parameters: asked, rows: odd, mode, ...goingOn });
				expect(run.hints.length).toBeGreaterThan(0);
				expect(run.hints.length).toBeLessThanOrEqual(3);
			}
	});
});

test.each([
	['a push', pushToAll, 'title'],
	['an email', emailToAll, 'campaign name'],
])('Of %s to everyone by hand, the first box says what can still be done', async (_, all, name) => {
	const run = await node.start({ parameters: { ...all, testRuns: 'send' }, mode: 'manual' });
	expect(hintsIn(run).split('\n')[0]).toBe(
		`This run by hand sent 1 broadcast to real people: everyone${all === pushToAll ? ' on web' : ''}. n8n cannot change, cancel or recall it. If it was not meant, ask the service's support at once; a correction goes out under another ${name}.`,
	);
});

test('An email address in place of a user ID gets a hint', async () => {
	const rows = [{ id: 'C-1' }, { id: 'anna@example.com' }];
	const told = hintsIn(await node.start({ parameters: push(), rows, ...goingOn }));
	expect(told).toBe(
		'Item 1 (anna@example.com): User ID has an @. It is the ID that your shop or CRM uses for a person, which is seldom the email address.',
	);
	expect(hintsIn(await node.start({ parameters: email(), rows, ...goingOn }))).not.toContain(
		'User ID',
	);
});

test.each([
	[[{ plan: 'gold' }, { plan: '', city: 'Köln' }], 'Items 0 (gold), 1 (Köln).'],
	[[{}, {}], 'Items 0–1.'],
])(
	'Items of a broadcast are named by their first column that is filled: %j',
	async (rows, named) => {
		expect(
			wordsOf(await node.start({ parameters: { ...pushToAll, url: 'shop' }, rows })),
		).toContain(named);
	},
);

test('A retry that turns green warns of a message that may never have arrived, in the output and the log', async () => {
	node.loseOnce('"K-2"');
	const rows = [{ id: 'K-1' }, { id: 'K-2' }];
	const first = await node.start({ rows, parameters: push() });
	expect(first.error?.message).toContain('may or may not have been delivered');
	const second = await node.retry(first);
	expect(second.error).toBeUndefined();
	expect(inShort(second)).toMatch(/unknown/);
	const warning = '1 message of an earlier attempt may never have arrived: item 1';
	const check = 'Check in the account: nothing of it is sent again.';
	const box = second.hints.find(({ type }) => type === 'warning');
	expect(box?.message).toBe(`${warning} (K-2). ${check}`);
	expect(lines).toContainEqual(['warn', `${warning} (counted from 0). ${check}`]);
});
