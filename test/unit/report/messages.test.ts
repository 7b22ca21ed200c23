import { describeFailure } from '../../../nodes/CustomerMessaging/report/messages';
import type { UnusableRun } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { deliveryOf, notSent, rejected, runOf, unknown } from './support/results';

const push = runOf('push', 'send');
const createUser = runOf('user', 'create');
const unusable: UnusableRun = {
	problems: [],
	history: { isRetry: false, wasInterrupted: false },
};

const checkAccount =
	"Check in the account whether it arrived before you send it again. With the option 'Retry Unknown', the node repeats such requests, and some people may get the message twice.";
const runAgain = 'Run it again: creating or updating a user a second time does no harm.';
const redirected =
	'It redirects to another address, which is not followed. In the credential, enter the address that it redirects to.';
const endedEarly = 'The run ended early, because every other item would be refused too.';
const later = ' It is worth trying again at 2026-12-01T09:30:00.000+01:00.';
const retryAt = '2026-12-01T09:30:00.000+01:00';

describe('A message that was not sent', () => {
	it.each([
		[
			notSent('noConnection', { code: 'ECONNREFUSED' }),
			'No connection to https://api.example.com, so it was not sent',
			"The connection ended with ECONNREFUSED. Check the 'Push Address' in the credential, its port included, and the network of this n8n, then retry the execution: it sends only what was not sent.",
		],
		[
			notSent('noConnection'),
			'No connection to https://api.example.com, so it was not sent',
			"Check the 'Push Address' in the credential, its port included, and the network of this n8n, then retry the execution: it sends only what was not sent.",
		],
		[
			notSent('certificate', { code: 'CERT_HAS_EXPIRED' }),
			'The certificate of https://api.example.com was not accepted, so it was not sent',
			'The connection ended with CERT_HAS_EXPIRED. Check the address in the credential and the certificate of that host.',
		],
		[
			notSent('rateLimit'),
			"The rate limit lasted longer than 'Max Wait', so it was not sent",
			"Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential.",
		],
		[
			notSent('rateLimit', { retryAt }),
			"The rate limit lasted longer than 'Max Wait', so it was not sent",
			`Send the remaining items later, raise 'Max Wait', or ask the service for a higher limit and enter it in the credential.${later}`,
		],
		[
			notSent('serviceUnavailable', { retryAt }),
			'https://api.example.com failed for longer than the run could wait, so it was not sent',
			`Nothing of this item was sent. Once the service works, retry the execution: it sends only what was not sent.${later}`,
		],
		[
			notSent('credentialsRefused'),
			'https://api.example.com refuses the credentials, so it was not sent',
			`${endedEarly} Test the credential, enter it again, then retry the execution: it sends only what was not sent.`,
		],
		[
			notSent('addressRefused'),
			'https://api.example.com does not answer as the service does, so it was not sent',
			`${endedEarly} Check the 'Push Address' in the credential, then retry the execution: it sends only what was not sent.`,
		],
		[
			notSent('stopped'),
			'The run ended before it was sent',
			'Nothing of this item was sent. Once the cause is resolved, retry the execution: it sends only what was not sent.',
		],
		[
			notSent('schedulePassed'),
			'The time it was scheduled for passed before it could be sent, so it was not sent',
			'The run had to wait for the rate limit. Choose a later time, or start the workflow earlier.',
		],
		[
			notSent('internalError', { message: 'x is not a function' }),
			'A mistake in this node prevented it from being sent',
			"The node failed with: x is not a function. This is not caused by the settings. Report it to the maintainers of the node, with n8n's log.",
		],
		[
			notSent('internalError'),
			'A mistake in this node prevented it from being sent',
			"This is not caused by the settings. Report it to the maintainers of the node, with n8n's log.",
		],
		[
			notSent('notRecorded', { message: 'SQLITE_BUSY' }),
			'It was not sent, because n8n could not store that it was about to be sent',
			"n8n reported: SQLITE_BUSY. Without that record, it could be sent twice. Check n8n's database, then retry the execution: it sends only what was not sent.",
		],
		[
			notSent('notRecorded'),
			'It was not sent, because n8n could not store that it was about to be sent',
			"Without that record, it could be sent twice. Check n8n's database, then retry the execution: it sends only what was not sent.",
		],
	])('says why and what to do: %j', (outcome, message, description) => {
		expect(describeFailure(outcome, push)).toEqual({ message, description });
	});

	it('names no address if the run has none', () => {
		expect(describeFailure(notSent('noConnection'), unusable).message).toBe(
			'No connection to the service, so it was not sent',
		);
	});
});

describe('A message that may have been delivered', () => {
	it.each([
		[
			unknown({ code: 'ECONNRESET' }),
			'No answer came from https://api.example.com, so it may or may not have been delivered',
			`The connection ended with ECONNRESET. ${checkAccount}`,
		],
		[
			unknown({ statusCode: 500 }),
			'The service answered 500, so it may or may not have been delivered',
			checkAccount,
		],
		[
			unknown({ statusCode: 302 }),
			'The service answered 302, so it may or may not have been delivered',
			`${redirected} ${checkAccount}`,
		],
		[
			unknown({ reason: 'interrupted' }),
			'It was being sent when an earlier run ended, so it may or may not have been delivered',
			checkAccount,
		],
		[
			unknown({ reason: 'internalError' }),
			'A mistake in this node ended the run while it was being sent, so it may or may not have been delivered',
			checkAccount,
		],
	])('is to be looked up before it is sent again: %j', (outcome, message, description) => {
		expect(describeFailure(outcome, push)).toEqual({ message, description });
	});

	it.each([
		[
			unknown({ code: 'ECONNRESET' }),
			'No answer came from https://api.example.com, so the user may or may not have been saved',
			`The connection ended with ECONNRESET. ${runAgain}`,
		],
		[
			unknown({ statusCode: 303 }),
			'The service answered 303, so the user may or may not have been saved',
			`${redirected} ${runAgain}`,
		],
		[
			unknown({ reason: 'interrupted' }),
			'No answer came from https://api.example.com, so the user may or may not have been saved',
			runAgain,
		],
	])('is safe to repeat if it is a user: %j', (outcome, message, description) => {
		expect(describeFailure(outcome, createUser)).toEqual({ message, description });
	});
});

describe('A request that the service refuses', () => {
	it.each([
		[
			rejected(401),
			'The service did not accept the credentials (401)',
			'Open the credential and enter the brand ID and API key, or the access token, again. A key that was replaced under Settings > Store Integration no longer works.',
		],
		[
			rejected(413),
			'The service refused the request because it is too large (413)',
			'Shorten the longest fields of this item, or leave some of them out.',
		],
		[
			rejected(300),
			'https://api.example.com redirects to another address (300), which is not followed',
			'In the credential, enter the address that it redirects to.',
		],
		[
			rejected(399),
			'https://api.example.com redirects to another address (399), which is not followed',
			'In the credential, enter the address that it redirects to.',
		],
	])('has a cure of its own: %j', (outcome, message, description) => {
		expect(describeFailure(outcome, push)).toEqual({ message, description });
	});

	const toCheck =
		"Check these, because the service's reference does not specify them: Recipient By and its field; Custom Schedule Format and Schedule Zone in the credential; Push Address in the credential. With 'Preview Only' under Options, the node shows the exact request, which you can compare or give to the service's support.";

	it('is about the address if nothing is found there', () => {
		expect(describeFailure(rejected(404), push)).toEqual({
			message: 'https://api.example.com has nothing at this address (404)',
			description: `The user and event, push, and email and SMS APIs may each have their own host. ${toCheck}`,
		});
	});

	it('is told in the words of the service, with its recipient', () => {
		const about = { delivery: deliveryOf(0, { to: { user_id: 'C-1' } }) };
		expect(describeFailure(rejected(400, 'No such user'), push, about)).toEqual({
			message: 'The service refused the push to C-1 (400): No such user',
			description: `If the answer does not tell the cause: ${toCheck}`,
		});
	});

	it('is told without words of the service if there are none', () => {
		expect(describeFailure(rejected(299), push)).toEqual({
			message: 'The service refused the request (299)',
			description: toCheck,
		});
	});

	it('may be about the size of a batch, unless it had a single row', () => {
		const descriptionOf = (size?: number) =>
			describeFailure(rejected(), createUser, size ? { batch: { index: 0, size } } : {})
				.description;
		const inBatch =
			"Check these, because the service's reference does not specify them: Batch Size under Options; User and Event Address in the credential.";
		expect(descriptionOf(2)).toContain(inBatch);
		expect(descriptionOf()).toContain(inBatch);
		expect(descriptionOf(1)).toContain('specify them: User and Event Address in the credential.');
	});
});
