import { harmless, onePerson } from '../../../../nodes/CustomerMessaging/fields/field';
import { httpsLink } from '../../../../nodes/CustomerMessaging/fields/link';
import { mobile } from '../../../../nodes/CustomerMessaging/fields/mobile';
import { identifier, text } from '../../../../nodes/CustomerMessaging/fields/text';
import { channels } from '../../../../nodes/CustomerMessaging/operations/channels';
import { messageOperation } from '../../../../nodes/CustomerMessaging/operations/message';
import type { Channel } from '../../../../nodes/CustomerMessaging/operations/operation';
import { makeSender } from '../../../../nodes/CustomerMessaging/operations/sender';
import { campaignSchedule } from '../../../../nodes/CustomerMessaging/schedule/format';

const letter = text('Letter', harmless);
const recipients = {
	fax_number: mobile('Fax Number', onePerson),
	campaign_id: identifier('Campaign ID', { reaches: 'audience', modelMayFill: false }),
};
const sender = makeSender('fax', 'Fax', ['sender_name', 'sender_mobile']);

/** A channel that exists nowhere else: it shares no path, recipient, limit or field of a credential with another. */
const fax: Channel = {
	value: 'fax',
	name: 'Fax',
	target: { host: 'mailUrl', api: 'fax' },
	perMinute: 77,
	look: 'text',
	sender,
	testRecipient: {
		...{ name: 'testFax', key: 'fax_number', displayName: 'Test Fax' },
		...{ placeholder: 'e.g. +4930123456', description: 'Number that receives test faxes' },
	},
	defaultOperation: 'transmit',
	operations: [
		messageOperation({
			...{ section: '4.9', counted: ['letter'], sender, schedule: campaignSchedule },
			...{ path: '/api/v1/fax/transmit', recipients, required: { letter } },
			optional: { logo_url: httpsLink('Logo URL', harmless) },
			...{ value: 'transmit', name: 'Transmit' },
			...{ action: 'Transmit fax', description: 'Send a fax to one person' },
		}),
	],
};

// Whoever imports this file before the node has a node with this channel.
(channels as unknown as Channel[]).push(fax);
