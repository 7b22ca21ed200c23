import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { onlyArrival, run, useSandbox } from '../support/service';
import { emailLists, emails } from '../support/values/addresses';
import { links } from '../support/values/links';
import { international, national, refused, senders } from '../support/values/phones';
import { asIs, type ValueRow } from '../support/values/row';
import { contents, names, texts } from '../support/values/texts';

const sandbox = useSandbox();
const from = '={{ $json.value }}';

/** The body that arrives where an expression gives this value. */
async function bodyOf(parameters: INodeParameters, value: unknown): Promise<unknown> {
	const { error } = await run(sandbox(), parameters, { rows: [{ value: value as string }] });
	expect(error).toBeUndefined();
	const { body, outcome, problems } = onlyArrival(sandbox());
	expect({ outcome, problems }).toEqual({ outcome: 'accepted', problems: [] });
	return body;
}

interface Group {
	name: string;
	parameters: INodeParameters;
	/** The key in the body, or in the attributes of a user. */
	key: string;
	rows: readonly ValueRow[];
}

/** What comes along when people copy an ID. Which characters phone numbers may hold is in their own table. */
const ids: ValueRow[] = [
	['a zero-width space', 'C-1\u200b', 'C-1'],
	['a byte order mark and spaces', '\ufeff C-1 ', 'C-1'],
	['marks of direction', '\u202aC-1\u202c', 'C-1'],
	['a soft hyphen and a variation selector', 'C\u00ad-\ufe0f1', 'C-1'],
	asIs('letters of other scripts', 'é-李-محمد'),
];

const smsTo = { ...order.smsSend, mobile: from };
const groups: Group[] = [
	{ name: 'a mobile number', parameters: smsTo, key: 'mobile', rows: international },
	{
		name: 'the mobile number of a user',
		parameters: { ...order.createUser, mobile: from },
		key: 'mobile',
		rows: international.slice(0, 4),
	},
	{
		name: 'the sender of an SMS',
		parameters: { ...order.smsSend, sender_mobile: from },
		key: 'sender_mobile',
		rows: senders,
	},
	{
		name: 'an email address',
		parameters: { ...order.emailSend, email: from },
		key: 'email',
		rows: emails,
	},
	{
		name: 'the email address of a user',
		parameters: { ...order.createUser, email: from },
		key: 'email',
		rows: emails.slice(18, 22),
	},
	{
		name: 'the sender of an email',
		parameters: { ...order.emailSend, sender_email: from },
		key: 'sender_email',
		rows: emails.slice(18, 22),
	},
	{
		name: 'a reply address',
		parameters: { ...order.emailSend, additionalFields: { reply_to: from } },
		key: 'reply_to',
		rows: emails.slice(18, 22),
	},
	{
		name: 'addresses in copy',
		parameters: { ...order.emailSend, additionalFields: { email_cc: from } },
		key: 'email_cc',
		rows: emailLists,
	},
	{ name: 'a link', parameters: { ...order.pushSend, url: from }, key: 'url', rows: links },
	{
		name: 'a message',
		parameters: { ...order.pushSend, platforms: ['android'], message: from },
		key: 'message',
		rows: texts,
	},
	{
		name: 'the content of an email',
		parameters: { ...order.emailSend, content: from },
		key: 'content',
		rows: [...contents, ...texts.slice(0, 4)],
	},
	{
		name: 'the ID of a user',
		parameters: { ...order.pushSend, user_id: from },
		key: 'user_id',
		rows: ids,
	},
	{
		name: 'the ID of a subscriber',
		parameters: { ...order.pushSend, recipientBy: 'subscription_id', subscription_id: from },
		key: 'subscription_id',
		rows: ids.slice(0, 1),
	},
	{
		name: 'the ID of a campaign',
		parameters: { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: from },
		key: 'campaign_id',
		rows: [['a zero-width space', '5501\u200b', '5501']],
	},
	{
		name: 'the ID of a segment',
		parameters: { ...order.pushToSegment, segment_id: { __rl: true, mode: 'id', value: from } },
		key: 'segment_id',
		rows: [['a zero-width space', '\u200b42', 42]],
	},
	{
		name: 'the name of a user',
		parameters: { ...order.createUser, name: from },
		key: 'name',
		rows: names,
	},
];

describe.each(groups)('$name', ({ parameters, key, rows }) => {
	it.each(rows)('is sent exactly as the table says: %s', async (_, value, sent) => {
		const body = await bodyOf(parameters, value);
		const { nv: [user] = [] } = body as { nv?: Array<{ user_attributes: object }> };
		expect(user?.user_attributes ?? body).toHaveProperty(key, sent);
	});
});

describe('A mobile number in the notation of its country', () => {
	it.each(national)('%s: %s is sent as %s', async (defaultCountry, written, sent) => {
		const body = await bodyOf({ ...smsTo, options: { defaultCountry } }, written);
		expect(body).toHaveProperty('mobile', sent);
	});
});

describe('A mobile number that is not sent', () => {
	it.each(refused)('with the Default Country %j: %s', async (defaultCountry, value, why) => {
		const parameters = { ...smsTo, options: { defaultCountry } };
		const { error } = await run(sandbox(), parameters, { rows: [{ value: value as string }] });
		expect(error?.description).toContain(`Mobile '${String(value)}' ${why}`);
		expect(sandbox().record).toEqual([]);
	});
});

test('The tables hold more than 150 values, numbers of 40 countries and texts in 12 scripts', () => {
	const all = [international, senders, emails, emailLists, links, texts, contents, names].flat();
	const written = new Set([...all, ...national].map(([what, value]) => `${what} ${String(value)}`));
	expect(written.size).toBe(all.length + national.length);
	expect(written.size).toBeGreaterThanOrEqual(150);
	expect(new Set(national.map(([country]) => country)).size).toBeGreaterThanOrEqual(40);
	const scripts =
		'Latin Greek Cyrillic Arabic Hebrew Devanagari Bengali Tamil Gujarati Thai Han Hiragana Hangul Georgian Armenian Ethiopic';
	const found = scripts
		.split(' ')
		.filter((script) =>
			texts.some(([, value]) => new RegExp(`\\p{Script=${script}}`, 'u').test(String(value))),
		);
	expect(found.length).toBeGreaterThanOrEqual(12);
});
