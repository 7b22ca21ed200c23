import { identifier, key, line, mobile } from '../fields/text';
import { flag, integer } from '../fields/values';

/** Fields that email and SMS campaigns share (spec §2.3 and §2.4). */

export const senderName = line('Sender Name', { modelMayFill: true,
	placeholder: 'e.g. Acme',
	description: 'Name of the sender',
});

export const campaignName = line('Campaign Name', { modelMayFill: true,
	placeholder: 'e.g. Spring sale',
	description: 'Name of the campaign',
});

export const serviceProvider = integer('Service Provider ID', { modelMayFill: true,
	placeholder: 'e.g. 7',
	description: 'Identifier of the service provider, a whole number',
});

export const segment = integer('Segment ID', { modelMayFill: false,
	placeholder: 'e.g. 42',
	description: 'The segment the users fall in, a whole number',
});

export const doNotDisturb = flag('Do Not Disturb', { modelMayFill: true,
	description: "Whether to respect the periods in which the account's messages are not sent",
});

/** The ways to name one person (spec §4.3 and §4.4); the keys sent are the parameter names. */
export const recipients = {
	mobile: mobile('Mobile', { modelMayFill: true, description: 'Mobile number of the recipient, with country code' }),
	user_id: key('User ID', { modelMayFill: true,
		placeholder: 'e.g. user-1001',
		description: 'Identifier of the user',
	}),
	// The reference does not say how many people the ID of a campaign reaches.
	campaign_id: identifier('Campaign ID', { modelMayFill: false,
		placeholder: 'e.g. 5501',
		description: 'Identifier of the campaign whose recipient is reached',
	}),
};
