import { askHints } from '../../../nodes/CustomerMessaging/report/askHints';
import type { Result } from '../../../nodes/CustomerMessaging/shared/result';
import { accepted, notSent, preview, runOf, sent, unknown } from './support/results';

const run = runOf('push', 'sendAndWait');
const endMs = Date.UTC(2026, 11, 1, 8, 30);

const hintsOf = (results: readonly Result[], limit: { endMs?: number } = {}) =>
	askHints(results, run, limit, 'Europe/Berlin');
const info = (message: string) => ({ message, location: 'outputPane', type: 'info' });
const warning = (message: string) => ({ message, location: 'outputPane', type: 'warning' });
const waits = info('The execution waits for the answer.');

describe('A hint about a question', () => {
	it('says until when the execution waits for the answer', () => {
		expect(hintsOf([sent(0, accepted())])).toEqual([waits]);
		expect(hintsOf([sent(0, accepted())], { endMs })).toEqual([
			info('The execution waits for the answer until 2026-12-01 09:30:00 (Europe/Berlin).'),
		]);
	});

	it('warns that the question may not have arrived', () => {
		expect(hintsOf([preview(0), sent(0, unknown(), { platform: 'ios' })])).toEqual([
			warning(
				'The question may not have arrived on ios: No answer came from https://api.example.com, so it may or may not have been delivered. The execution waits, because an answer would prove that it arrived.',
			),
			waits,
		]);
	});

	it('warns that the question was not sent', () => {
		expect(hintsOf([sent(0, notSent('stopped')), sent(0, accepted())])).toEqual([
			warning('The question was not sent: The run ended before it was sent.'),
			waits,
		]);
	});

	it('shows the answer of the service as text', () => {
		const refused = {
			outcome: 'rejected' as const,
			statusCode: 400,
			response: 'Not <b>here</b>',
			attempts: 1,
		};
		expect(hintsOf([sent(0, refused)])[0]).toEqual(
			warning(
				'The question was not sent: The service refused the request (400): Not &lt;b>here&lt;/b>.',
			),
		);
	});
});
