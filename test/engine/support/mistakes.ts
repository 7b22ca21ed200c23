import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { Order, Report } from './engine';
import * as order from './orders';
import { bodies, run } from './service';

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

export const hintsOf = ({ hints }: Pick<Report, 'hints'>) => hints.map(({ message }) => message);

/** Why each row is refused, where the others are sent or shown. */
export async function refusals(
	sandbox: () => Sandbox,
	parameters: INodeParameters,
	rows: IDataObject[] = [{}],
): Promise<string[]> {
	const each: Partial<Order> = { rows, onError: 'continueErrorOutput' };
	const { failed, error, output } = await run(sandbox(), parameters, each);
	expect(error).toBeUndefined();
	expect(output.length + failed.length).toBe(rows.length);
	return failed.map(({ json }) => json.error as string);
}

/** Why a row is refused; undefined if a request was sent for it. */
export async function refusal(
	sandbox: () => Sandbox,
	parameters: INodeParameters,
	row: IDataObject = {},
): Promise<string | undefined> {
	sandbox().reset();
	const [found] = await refusals(sandbox, parameters, [row]);
	expect(sandbox().record).toHaveLength(found === undefined ? 1 : 0);
	return found;
}

/** What arrived under a key of each body. */
export const arrived = (sandbox: () => Sandbox, key: string) =>
	bodies(sandbox()).map((body) => (body as IDataObject)[key]);
