import type { Plan } from '../../../nodes/CustomerMessaging/plan/plan';
import { invalidSummary } from '../../../nodes/CustomerMessaging/report/invalidSummary';
import type { InvalidResult } from '../../../nodes/CustomerMessaging/shared/result';
import { accepted, rejected, sent } from './support/results';

const naming = {
	labelOf: (field: string) => ({ title: 'Title', url: 'URL' })[field] ?? field,
	recipientOf: (item: number) => `C-${item}`,
};
const ofOneAttempt = { isRetry: false, wasInterrupted: false };
const ofRetry = { ...ofOneAttempt, isRetry: true };
const sendOthers =
	"To send the other items anyway, set On Error in the node's Settings to Continue (using error output). Items count from 0.";

const invalid = (itemIndex: number, ...fields: string[]): InvalidResult => ({
	kind: 'invalid',
	itemIndex,
	problems: fields.map((field) => ({ field, message: `${naming.labelOf(field)} is empty` })),
});

function summaryOf(given: Partial<Plan>, history = ofOneAttempt) {
	const plan = { deliveries: [], invalid: [], earlier: [], itemCount: 1, rowsHash: '', ...given };
	return invalidSummary(plan, history, naming);
}

describe('A run with one item that needs corrections', () => {
	it('says what is wrong, and that nothing was sent', () => {
		expect(summaryOf({ invalid: [invalid(0, 'title')] })).toEqual({
			message: 'Nothing was sent: Title is empty',
			description: '',
		});
	});

	it('names the item among several, and how to send the others', () => {
		expect(summaryOf({ invalid: [invalid(3, 'title', 'url')], itemCount: 5 })).toEqual({
			message: 'Nothing was sent: Title is empty. URL is empty (item 3, C-3)',
			description: sendOthers,
		});
	});

	it('names three corrections in the message, and all of them below', () => {
		const three = summaryOf({ invalid: [invalid(0, 'title', 'url', 'a')] });
		expect(three).toEqual({
			message: 'Nothing was sent: Title is empty. URL is empty. a is empty',
			description: '',
		});
		expect(summaryOf({ invalid: [invalid(0, 'title', 'url', 'a', 'b')] })).toEqual({
			message:
				'Nothing was sent: Title is empty. URL is empty. a is empty. 1 more correction below',
			description:
				'Item 0 (C-0): Title is empty.<br>\nItem 0 (C-0): URL is empty.<br>\nItem 0 (C-0): a is empty.<br>\nItem 0 (C-0): b is empty.',
		});
		const { message } = summaryOf({ invalid: [invalid(0, 'title', 'url', 'a', 'b', 'c')] });
		expect(message).toContain('. 2 more corrections below');
	});
});

describe('A run with several items that need corrections', () => {
	it('counts them, names the fields, and lists what to correct', () => {
		const plan = { invalid: [invalid(0, 'title'), invalid(2, 'url', 'title')], itemCount: 3 };
		expect(summaryOf(plan)).toEqual({
			message: 'Nothing was sent: 2 of 3 items need a correction: Title, URL',
			description: `Items 0 (C-0), 2 (C-2): Title is empty.<br>\nItem 2 (C-2): URL is empty.<br>\n${sendOthers}`,
		});
	});

	it('does not say how to send the others if there are none', () => {
		const { description } = summaryOf({
			invalid: [invalid(0, 'title'), invalid(1, 'title')],
			itemCount: 2,
		});
		expect(description).toBe('Items 0 (C-0), 1 (C-1): Title is empty.<br>\nItems count from 0.');
	});
});

describe('A correction that concerns all items', () => {
	const concernsAll = [
		{ field: 'title', message: 'Title is <empty>' },
		{ field: 'title', message: 'Title is odd' },
		{ field: 'url', message: 'URL is empty' },
	];

	it('is told once, with the fields it is about', () => {
		expect(summaryOf({ concernsAll, itemCount: 2 })).toEqual({
			message: 'Nothing was sent: Title is <empty>; Title is odd; URL is empty',
			description: 'It is about Title, URL and applies to all 2 items.',
		});
		expect(summaryOf({ concernsAll, itemCount: 1 }).description).toBe('');
	});
});

describe('An attempt after others', () => {
	const earlier = [sent(0, accepted()), sent(1, rejected(), { userID: 'C-1' })];

	it('says what was sent before it', () => {
		expect(summaryOf({ invalid: [invalid(2, 'title')], earlier })).toEqual({
			message: 'Nothing more was sent: Title is empty',
			description: 'Before this attempt: Accepted: 1 of 2.<br>\nRefused: 1, items 1 (C-1).',
		});
	});

	it('does not say that nothing was sent at all', () => {
		const { message } = summaryOf({ invalid: [invalid(0, 'title')] }, ofRetry);
		expect(message).toBe('Nothing more was sent: Title is empty');
		const ofExecution = [
			{ field: 'url', message: 'x' },
			{ field: 'execution', message: 'Sent before' },
		];
		expect(summaryOf({ concernsAll: ofExecution }).message).toBe(
			'Nothing more was sent: x; Sent before',
		);
		expect(summaryOf({ concernsAll: ofExecution.slice(0, 1) }).message).toBe('Nothing was sent: x');
	});
});
