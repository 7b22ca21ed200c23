import type { INodeParameters } from 'n8n-workflow';

import * as order from './orders';

const changing =
	(parameters: INodeParameters) =>
	(more: INodeParameters = {}): INodeParameters => ({ ...parameters, ...more });

/** Orders of one message to a person, of a user and of an event, with what a test changes in them. */
export const push = changing(order.pushSend);
export const email = changing(order.emailSend);
export const sms = changing(order.smsSend);
export const user = changing(order.createUser);
export const event = changing(order.trackEvent);
export const toCampaign = email({ recipientBy: 'campaign_id', campaign_id: 5501 });

/** Users or events of which each column is an attribute. */
export const mapped = (
	resource: 'user' | 'event',
	more: INodeParameters = {},
): INodeParameters => ({
	...(resource === 'user' ? order.createUser : order.trackEvent),
	dataMode: 'autoMapInputData',
	...more,
});
