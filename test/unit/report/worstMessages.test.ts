import { findWorst } from '../../../nodes/CustomerMessaging/report/worstMessages';
import type { PreviewResult } from '../../../nodes/CustomerMessaging/shared/result';

const preview = (characters: number, parts: number, gaps: number): PreviewResult => ({
	kind: 'preview',
	delivery: {
		itemIndex: 0,
		path: '/api/v1/sendMessage',
		buildBody: () => ({}),
		gaps: Array.from({ length: gaps }, () => ({ field: 'message', code: '$json.name' })),
	},
	url: 'https://mail.example.com/api/v1/sendMessage',
	body: {},
	measured: { characters: { message: { count: characters } }, sms: { parts } },
});

test('The longest text, the most placeholders and the most parts are found wherever they are', () => {
	const results = [preview(10, 1, 0), preview(11, 1, 2), preview(200, 2, 0), preview(12, 1, 1)];
	expect([...findWorst(results)]).toEqual([
		[2, 'the longest text, the most parts'],
		[1, 'the most empty placeholders'],
	]);
});

test('Where all messages are equal, none of them is the worst', () => {
	expect(findWorst([preview(10, 1, 0), preview(10, 1, 0)]).size).toBe(0);
	expect(findWorst([preview(10, 1, 1)]).size).toBe(0);
	expect(findWorst([]).size).toBe(0);
});
