import { describeCostly, smsHints } from '../../../nodes/CustomerMessaging/report/smsHints';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { VirtualClock } from '../../../simulation/virtualClock';
import { accepted, deliveryOf, rejected, runOf, skipped } from './support/results';

const sms = runOf('sms', 'send');
const preview = { ...sms, isPreview: true };
const text = (item: number, message: unknown, given: Partial<Delivery> = {}) =>
	deliveryOf(item, { buildBody: () => ({ message }), ...given });
const twoParts = 'a'.repeat(161);
const costly = `${'a'.repeat(80)}–`;

describe('A hint about the parts of SMS', () => {
	const clock = new VirtualClock(0);
	const previewHints = async (deliveries: Delivery[], run = preview) =>
		await smsHints(run, { deliveries }, [], clock);

	it('sums them in a preview', async () => {
		expect(await previewHints([text(0, 'Hi')])).toEqual(['1 SMS in 1 part. Each part is charged.']);
		expect(await previewHints([text(0, 'Hi'), text(1, twoParts)])).toEqual([
			'2 SMS in 3 parts. Each part is charged.',
		]);
		expect(await previewHints([text(0, 'a'.repeat(5_001)), text(1, 'Hi')])).toEqual([
			'2 SMS in 1 part. Each part is charged.',
		]);
		expect(await previewHints([])).toEqual([]);
		expect(await previewHints([text(0, 'Hi')], { ...preview, resource: 'push' })).toEqual([]);
	});

	it('says that each recipient of a broadcast gets them', async () => {
		const toAll = { audience: 'everyone' };
		expect(await previewHints([text(0, 'Hi'), text(1, 'Hi', toAll)])).toEqual([
			'2 SMS in 2 parts for each recipient. Each part is charged.',
		]);
	});

	it('names what costs a part, and how to avoid it', async () => {
		expect(await previewHints([text(3, costly, { to: { mobile: '+49' } })])).toEqual([
			'1 SMS in 2 parts. Each part is charged.',
			"'–' costs a second part; with '-' it is one (item 3, +49). 'Replace Typographic Characters' under Options sends plain characters instead.",
		]);
	});

	it('counts of those that are sent only the accepted ones, and those that are shown apart', async () => {
		const [first, second, third] = [text(0, twoParts), text(1, 'Hi'), text(2, twoParts)];
		const results = [
			{ kind: 'sent' as const, delivery: first, outcome: accepted() },
			{ kind: 'sent' as const, delivery: second, outcome: accepted() },
			{ kind: 'sent' as const, delivery: third, outcome: rejected() },
			skipped(3),
		];
		const deliveries = [first, second, third];
		expect(await smsHints(sms, { deliveries, shown: [text(4, 'Hi')] }, results, clock)).toEqual([
			'Sent: 2 SMS in 3 parts. Each part is charged.',
			'Not sent: 1 SMS in 1 part. Each part is charged.',
		]);
		expect(await smsHints(sms, { deliveries: [second] }, results.slice(1, 2), clock)).toEqual([]);
	});
});

test.each([
	[[['–', '-']], 2, 1, "'–' costs a second part; with '-' it is one"],
	[[['–', '-']], 4, 2, "'–' costs parts: 4 now, 2 with '-'"],
	[
		[
			['–', '-'],
			['—', '-'],
			['’', "'"],
		],
		3,
		2,
		"'–', '—', '’' cost parts: 3 now, 2 with '-', '''",
	],
	[[['\u00a0', ' ']], 2, 1, "a non-breaking space costs a second part; with ' ' it is one"],
] as const)(
	'Typographic characters in an SMS are named with what they cost (case %#)',
	(found, parts, partsWithout, text) => {
		const replacements = found.map(([one, plain]) => [one, plain] as const);
		expect(describeCostly({ replacements, parts, partsWithout })).toBe(text);
	},
);
