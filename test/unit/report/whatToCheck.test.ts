import { listWhatToCheck } from '../../../nodes/CustomerMessaging/report/whatToCheck';
import { operationOf, runOf } from './support/results';

describe('What to check after a refusal', () => {
	it.each([
		[
			'push',
			'broadcastAll',
			'Custom Schedule Format and Schedule Zone in the credential; Custom Paths in the credential; Push API URL in the credential',
		],
		[
			'email',
			'send',
			'Recipient By and its field; Segment; Service Provider ID, here or under Default Senders in the credential; Custom Schedule Format and Schedule Zone in the credential; Email and SMS API URL in the credential',
		],
		['customRequest', 'post', 'Path and Body; Host; User and Event API URL in the credential'],
	])('is named as in the editor for %s %s', (resource, operation, expected) => {
		expect(listWhatToCheck(runOf(resource, operation))).toBe(expected);
	});

	it('leaves out the host if the credential could not be read', () => {
		expect(listWhatToCheck({ operation: operationOf('push', 'broadcastSegment') })).toBe(
			'Segment; Custom Schedule Format and Schedule Zone in the credential',
		);
	});

	it('is nothing if the operation is unknown', () => {
		expect(listWhatToCheck({})).toBe('');
	});
});
