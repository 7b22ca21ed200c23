import { n8nFailure } from '../../../nodes/CustomerMessaging/report/reasons';
import type { EndingOf } from '../../../nodes/CustomerMessaging/shared/ending';

type Failed = EndingOf<'rejected' | 'notSent' | 'unknown'>;

const history = { isRetry: false, wasInterrupted: false, firstTryMs: 0 };
const nowMs = Date.parse('2026-11-23T12:00:00Z');
const answered = (statusCode: number): Failed =>
	statusCode < 500
		? { kind: 'rejected', values: { statusCode, response: null } }
		: { kind: 'unknown', values: { statusCode, response: null } };

test.each<[string, Failed, object | undefined]>([
	['401', answered(401), { cause: 'credential-invalid' }],
	['403', answered(403), { cause: 'configuration-invalid' }],
	['404', answered(404), { cause: 'configuration-invalid' }],
	['400, which is about one row', answered(400), undefined],
	['503', answered(503), { cause: 'temporarily-unavailable' }],
	['no answer', { kind: 'unknown' }, { cause: 'temporarily-unavailable' }],
	[
		'no connection',
		{ kind: 'notSent', code: 'noConnection' },
		{ cause: 'temporarily-unavailable' },
	],
	['a mistake of the node', { kind: 'notSent', code: 'internalError' }, { cause: 'node-defect' }],
	['Stop', { kind: 'notSent', code: 'stopped' }, undefined],
	[
		'the rate limit',
		{ kind: 'notSent', code: 'rateLimit', values: { retryAt: '2026-11-23T13:01:30+01:00' } },
		{ cause: 'rate-limited', retryAfterMs: 90_000 },
	],
])("n8n's error tells n8n the cause of a failure without words: %s", (_, ending, failure) => {
	expect(n8nFailure(ending, { history }, nowMs)).toEqual(failure);
});
