import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, onlyArrival, run, useSandbox } from '../support/service';
import { emailLists, emails } from '../support/values/addresses';
import { links } from '../support/values/links';
import { international, national, refused, senders } from '../support/values/phones';
import { asIs, type ValueRow } from '../support/values/row';
import { contents, names, texts } from '../support/values/texts';

const sandbox = useSandbox();
const from = '={{ $json.value }}';

const smsTo = { ...order.smsSend, mobile: from };
const byCampaign = { recipientBy: 'campaign_id', campaign_id: from };
const options = { sendDuplicates: true, concurrency: 1 };
const maxBroadcasts = 9;

/** What comes along when people copy an ID. Which characters phone numbers may hold is in their own table. */
const ids: ValueRow[] = [
	['a zero-width space', 'C-1\u200b', 'C-1'],
	['a byte order mark and spaces', '\ufeff C-1 ', 'C-1'],
	['marks of direction', '\u202aC-1\u202c', 'C-1'],
	['a soft hyphen and a variation selector', 'C\u00ad-\ufe0f1', 'C-1'],
	['spaces around it', ' C-1\n', 'C-1'],
	asIs('letters of other scripts', 'é-李-محمد'),
];
const campaigns: ValueRow[] = [
	['a number', 5501, 5501],
	asIs('text', 'camp-1'),
	asIs('digits as text', '5501'),
	['a zero-width space', '5501\u200b', '5501'],
];
const wholeNumbers: ValueRow[] = [
	['1', 1, 1],
	['2^53 - 1', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	['digits as text', '42', 42],
	['2^53 - 1 as text', '9007199254740991', 9007199254740991],
	['digits with spaces around', ' 42 ', 42],
	['zeros in front', '007', 7],
];
const yesOrNo: ValueRow[] = [
	['true', true, true],
	['false', false, false],
	['true as text', 'true', true],
	['false as text', 'false', false],
	['capitals and spaces', ' TRUE ', true],
];
/** Texts that are as long as they may be, counted as people count letters. */
const longest = (most: number): ValueRow[] => [
	asIs('letters', 'x'.repeat(most)),
	asIs('emoji', '😀'.repeat(most)),
	asIs('families', '👨‍👩‍👧‍👦'.repeat(most)),
	asIs('flags', '🇮🇳'.repeat(most)),
	asIs('skin tones', '👍🏽'.repeat(most)),
	asIs('accented letters', 'e\u0301\u0323'.repeat(most)),
	asIs('Hangul in parts', '\u1112\u1161\u11ab'.repeat(most)),
	asIs('lines', 'x\r\n'.repeat(most / 2)),
];
const international4 = international.slice(0, 4);
const domains = emails.slice(18, 22);
const onAndroid = { ...order.pushSend, platforms: ['android'] };
const onIos = { ...order.pushSend, platforms: ['ios'] };
const inEmail = (key: string) => ({ ...order.emailSend, additionalFields: { [key]: from } });

/** What is entered, the node, the key in the body or in the attributes of a user, and the values. */
const groups: Array<[string, INodeParameters, string, readonly ValueRow[]]> = [
	['a mobile number', smsTo, 'mobile', international],
	['the mobile number of a user', order.createUser, 'mobile', international4],
	['the sender of an SMS', order.smsSend, 'sender_mobile', senders],
	['an email address', order.emailSend, 'email', emails],
	['the email address of a user', order.createUser, 'email', domains],
	['the sender of an email', order.emailSend, 'sender_email', domains],
	['a reply address', inEmail('reply_to'), 'reply_to', domains],
	['addresses in copy', inEmail('email_cc'), 'email_cc', emailLists],
	['a link', order.pushSend, 'url', links],
	['a message', onAndroid, 'message', texts],
	['a title on Android', onAndroid, 'title', longest(70)],
	['a title on iOS', onIos, 'title', longest(70)],
	['a long message on Android', onAndroid, 'message', longest(130)],
	['a long message on iOS', onIos, 'message', longest(130)],
	['the content of an email', order.emailSend, 'content', [...contents, ...texts.slice(0, 4)]],
	['a subject', order.emailSend, 'subject', [['a number', 42, '42']]],
	['the ID of a user', order.pushSend, 'user_id', ids],
	[
		'the ID of a subscriber',
		{ ...order.pushSend, recipientBy: 'subscription_id' },
		'subscription_id',
		ids.slice(0, 1),
	],
	[
		'the ID of a campaign by email',
		{ ...order.emailSend, ...byCampaign },
		'campaign_id',
		campaigns,
	],
	['the ID of a campaign by SMS', { ...order.smsSend, ...byCampaign }, 'campaign_id', campaigns],
	[
		'the ID of a segment',
		{ ...order.pushToSegment, segment_id: { __rl: true, mode: 'id', value: from } },
		'segment_id',
		[['a zero-width space', '\u200b42', 42]],
	],
	['a whole number', order.smsSend, 'serviceproviderID', wholeNumbers],
	['yes or no', inEmail('track_open'), 'track_open', yesOrNo],
	['the name of a user', order.createUser, 'name', names],
];

it.each(groups)('%s is sent exactly as its table says', async (_, parameters, key, table) => {
	const entered = (parameters.additionalFields ?? parameters.segment_id) ? {} : { [key]: from };
	const rows = table.map(([, value]) => ({ value: value as string }));
	const { error } = await run(
		sandbox(),
		{ ...parameters, ...entered, maxBroadcasts, options },
		{ rows },
	);
	expect(error).toBeUndefined();
	expect(sandbox().record.flatMap(({ problems }) => problems)).toEqual([]);
	expect(sandbox().accepted()).toHaveLength(parameters.resource === 'user' ? 1 : table.length);
	const sent = bodies(sandbox()).flatMap((body) => {
		const { nv } = body as { nv?: Array<{ user_attributes: object }> };
		return (nv?.map((user) => user.user_attributes) ?? [body]) as Array<Record<string, unknown>>;
	});
	expect(sent.map((one, index) => [table[index]?.[0], one[key]])).toEqual(
		table.map(([what, , value]) => [what, value]),
	);
});

test('A mobile number in the notation of its country is sent as the table says', async () => {
	const rows = national.map(([country, value]) => ({ country, value }));
	const parameters = { ...smsTo, options: { ...options, defaultCountry: '={{ $json.country }}' } };
	await run(sandbox(), parameters, { rows });
	const sent = bodies(sandbox()).map((body) => (body as { mobile: string }).mobile);
	expect(sent.map((mobile, index) => [...(national[index]?.slice(0, 2) ?? []), mobile])).toEqual(
		national,
	);
});

it.each(refused)(
	'A mobile number with the Default Country %j is not sent: %s',
	async (defaultCountry, value, why) => {
		const parameters = { ...smsTo, options: { defaultCountry } };
		const { error } = await run(sandbox(), parameters, { rows: [{ value: value as string }] });
		expect(error?.description).toContain(`Mobile '${String(value)}' ${why}`);
		expect(sandbox().record).toEqual([]);
	},
);

it.each([
	['empty', ''],
	['null', null],
	['absent', undefined],
])('A field that is %s is not sent', async (_, value) => {
	const optional = Object.keys({ ...order.appearance, ...order.devices });
	const additionalFields = Object.fromEntries(optional.map((key) => [key, from]));
	await run(sandbox(), { ...order.pushSend, additionalFields }, { rows: [{ value }] });
	expect(onlyArrival(sandbox()).body).toStrictEqual({ user_id: 'C-1', ...order.notification });
});
