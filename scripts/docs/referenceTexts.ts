/** What the reference says that no entry of the node holds. */

/** Rules that many fields have, and what the reference calls them. */
export const kinds: ReadonlyArray<readonly [name: string, rule: string]> = [
	['Line', 'Text on one line; leading and trailing spaces are removed'],
	['ID', 'Text on one line; spaces at both ends and invisible characters are removed'],
	['Number', 'A whole number from 1 to 9223372036854775807; above 9007199254740991, as text'],
	['Phone', 'A phone number with + or 00 and its country code; with Default Country, also without'],
	[
		'Link',
		'A link to a page, a number, an address or an app, such as https://example.com/page, tel:+4915112345678, mailto:name@example.com or myapp://page',
	],
];

/** @param messages the names of the channels */
export const introduction = (messages: string) => [
	'# Reference',
	'',
	'Made by `npm run docs`. "§" is a section of the [service\'s reference](service-api.md).',
	'',
	'Every request is a `POST`. Beside each label stands its key, in the workflow and in the body that is sent. An empty field is not sent.',
	'',
	'- *AI* marks what the model of an AI agent may fill in, except whom a question goes to. A call that leaves anything else to it is refused.',
	'- Every operation takes Extra Body Fields (`extraBodyFields`), a JSON object whose keys are added to the body, and has *Connect using* (`authentication`): `apiKey` or `partnerToken`.',
	'- **Send and Wait for Response** (`sendAndWait`) takes only the fields that name it, and those "required everywhere".',
	'- Of several recipients, the one that **Recipient By** names is required. The fields of the sender are required if **Sender** is *Define Below*.',
	`- Messages are ${messages}; every key stands at the top of the body. If nothing else is said, a field takes text. One with "Whether" takes true or false, by default false, and one with "How many" a whole number of 1 or more.`,
	"- A choice's value in the workflow is its name in small letters, unless a value stands beside it.",
	...kinds.map(([name, rule]) => `- *${name}*: ${rule.slice(0, 1).toLowerCase()}${rule.slice(1)}.`),
	'',
];

/** Where the fields go in the body, by resource. */
export const bodies: Readonly<Record<string, readonly string[]>> = {
	user: [
		'Many items travel in one request, and each is one output item: `{ "nv": [{ "userID": "…", "user_attributes": { "name": "…", "email": "…", "mobile": "…", … } }] }`. **Custom Attributes** and mapped columns go into `user_attributes`, and **Extra Body Fields** beside `nv`.',
	],
	event: [
		'Many items travel in one request, and each is one output item: `{ "nv": [{ "userID": "…", "event_name": "…", "attributes": { … }, "event_time": "…", "ltv": 1 }] }`. **Attributes** and mapped columns go into `attributes`, **Extra Event Fields** beside `event_name`, and **Extra Body Fields** beside `nv`.',
	],
	push: [
		'Each platform is one request and one output item. **Send At** adds `time`, or `schedule_date`, `schedule_time` and `time_zone`; nothing for *Now*. **Send and Wait for Response** sends the link to its page as `url`.',
	],
	email: [
		'**Email Type** (`emailType`) is `html`, the default, or `text`, which is sent as HTML that keeps its paragraphs, line breaks and links. **Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** sends its **Message** and the button as `content`.',
	],
	sms: [
		'**Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** adds the link to its page to `message`.',
	],
	customRequest: ['**Body** is the whole body. A path of a message or a broadcast is refused.'],
};

export const headers = [
	'## Headers',
	'',
	'Every request has `accept` and `content-type`, both `application/json`, and with **Customer Messaging API** `x-brand-id` and `x-api-key` (§5.1), with **Customer Messaging Partner API** `Authorization: Bearer` and the Access Token (§5.2). Of responses, the node reads:',
	'',
	'- `X-RateLimit-Remaining`: how many requests are left in this minute (§8); `rateLimitRemaining` of accepted items',
	'- `Retry-After`: followed where a 429, or an answer that shows the service failing, has it',
	'- `Date`: the clock of the service, for the minute of the limit',
	'',
];
