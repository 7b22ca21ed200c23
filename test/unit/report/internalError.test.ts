import {
	internalErrorMessage,
	itemsAfterInternalError,
} from '../../../nodes/CustomerMessaging/report/internalError';
import { accepted, preview, rejected, sent, skipped } from './support/results';

test('A workflow that a mistake of this node stops is told how many messages were accepted', () => {
	const results = [sent(0, accepted()), sent(1, rejected()), skipped(2), sent(3, accepted())];
	expect(internalErrorMessage({ results, mayHaveSent: false })).toBe(
		'A mistake in this node ended the run; 2 of its messages had been accepted',
	);
});

describe('After a mistake of this node', () => {
	const mistake = (kind: object) => ({
		...kind,
		reason: 'internalError',
		message: 'x is not a function',
	});

	it('each item has its outcome, or the mistake', () => {
		const problems = [
			{ field: 'title', message: 'Title is empty' },
			{ field: 'url', message: 'URL is empty' },
		];
		const results = [
			{ kind: 'invalid' as const, itemIndex: 4, problems },
			sent(3, rejected(413, 'Too big')),
			skipped(2),
			preview(1),
			sent(0, accepted()),
		];
		const progress = { results, mayHaveSent: false };
		const items = itemsAfterInternalError(progress, 6, false, 'x is not a function');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4, 5].map((item) => ({ item })),
		);
		expect(items.map(({ json }) => json)).toEqual([
			{ outcome: 'accepted' },
			{ outcome: 'preview' },
			{ outcome: 'skipped' },
			{
				error: 'The service refused the request because it is too large (413)',
				details: {
					outcome: 'rejected',
					statusCode: 413,
					response: 'Too big',
					attempts: 1,
					description: 'Shorten the longest fields of this item, or leave some of them out.',
				},
			},
			{ error: 'Title is empty; URL is empty', details: { outcome: 'invalid' } },
			{
				error: 'A mistake in this node prevented it from being sent',
				details: {
					...mistake({ outcome: 'notSent', attempts: 0 }),
					description:
						"The node failed with: x is not a function. This is not caused by the settings. Report it to the maintainers of the node, with n8n's log.",
				},
			},
		]);
	});

	it('an item that may have been sent is not called unsent', () => {
		const [item] = itemsAfterInternalError({ results: [], mayHaveSent: true }, 1, false, 'x');
		expect(item?.json.details).toMatchObject({ outcome: 'unknown', reason: 'internalError' });
	});

	it('the error output gets what failed, and nothing else', () => {
		const progress = { results: [sent(0, accepted())], mayHaveSent: false };
		const marked = (hasErrorOutput: boolean) =>
			itemsAfterInternalError(progress, 2, hasErrorOutput, 'x').map((item) =>
				Object.hasOwn(item, 'error'),
			);
		expect(marked(true)).toEqual([false, true]);
		expect(marked(false)).toEqual([false, false]);
	});
});
