import { type INode, NodeHelpers } from 'n8n-workflow';

import { email } from '../../../nodes/CustomerMessaging/operations/email';
import type { Operation } from '../../../nodes/CustomerMessaging/operations/operation';
import { makeGuardForm } from '../../../nodes/CustomerMessaging/run/guards';

const send = email.operations.find(({ value }) => value === 'send') as Operation;

/** The labels of the guards that the form shows for this recipient, each with its choices. */
function guardsFor(recipientBy: string) {
	return makeGuardForm(send)
		.filter((property) =>
			NodeHelpers.displayParameter({ recipientBy }, property, {} as INode, null),
		)
		.map(({ displayName, default: first, options = [] }) => ({
			displayName,
			first,
			choices: options.map(({ name }) => name),
		}));
}

const choices = ['Send', 'Send a Test to Me', 'Show Only'];
const displayName = 'When Run by Hand';

test('A message to one person is sent by hand at first, and needs no limit', () => {
	expect(guardsFor('email')).toEqual([{ displayName, first: 'send', choices }]);
});

test('A message to a campaign is only shown by hand at first, and is limited', () => {
	expect(guardsFor('campaign_id')).toEqual([
		{ displayName, first: 'preview', choices },
		{ displayName: 'Max Broadcasts', first: 1, choices: [] },
	]);
});

test('Where an expression chooses the recipient, only messages to a campaign are shown at first', () => {
	const [first] = guardsFor('={{ $json.by }}');
	expect(first).toEqual({
		displayName,
		first: 'previewCampaigns',
		choices: ['Send', 'Send a Test to Me', 'Show Campaigns Only', 'Show Only'],
	});
});
