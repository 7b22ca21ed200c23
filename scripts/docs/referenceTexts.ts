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

export const introduction = [
	'# Reference',
	'',
	'Made by `npm run docs` from the operations themselves. "§" is a section of the [service\'s reference](service-api.md).',
	'',
	"- Beside each label stands the key: the name in the workflow's JSON and, of a field, in the body that is sent. A field left empty is not sent.",
	'- Every field of a body takes an expression.',
	'- *AI* marks what the model of an AI agent may fill in, with the operations if it is not all. The call is refused if anything else is left to the model.',
	'- Choose the credential under *Connect using* (`authentication`): `apiKey`, the default, or `partnerToken`.',
	'- Every operation takes Extra Body Fields (`extraBodyFields`), a JSON object whose keys are added to the body.',
	'- Of several recipients, the one that **Recipient By** names is required; the fields of the sender are if **Sender** is *Define Below*.',
	'- The IDs of segments, campaigns and service providers are those of your account; ask its support where they are shown.',
	'- Messages are Push, Email and SMS. Where nothing else is said, a field takes text, and one that says whether takes true or false, by default false.',
	...kinds.map(([name, rule]) => `- *${name}*: ${rule.slice(0, 1).toLowerCase()}${rule.slice(1)}.`),
	'',
];

/** Where the fields go in the body, by resource. */
export const bodies: Readonly<Record<string, readonly string[]>> = {
	user: [
		'Many rows travel in one request, and each row is one output item: `{ "nv": [{ "userID": "…", "user_attributes": { "name": "…", "email": "…", "mobile": "…", … } }] }`. **Custom Attributes** and mapped columns go into `user_attributes`, and **Extra Body Fields** beside `nv`.',
	],
	event: [
		'Many rows travel in one request, and each row is one output item: `{ "nv": [{ "userID": "…", "event_name": "…", "attributes": { … }, "event_time": "…", "ltv": 1 }] }`. **Attributes** and mapped columns go into `attributes`, **Extra Event Fields** beside `event_name`, and **Extra Body Fields** beside `nv`.',
	],
	push: [
		'Each platform is one request and one output item. Every key stands at the top of the body. **Send At** adds `time`, or `schedule_date`, `schedule_time` and `time_zone`; nothing for *Now*. **Send and Wait for Response** sends the link to its page as `url`.',
	],
	email: [
		'Every key stands at the top of the body. **Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** sends its **Message** and the button as `content`.',
	],
	sms: [
		'Every key stands at the top of the body. **Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** adds the link to its page to `message`.',
	],
	customRequest: ['**Body** is the whole body. A path of a broadcast is refused.'],
};

export const headers = [
	'## Headers',
	'',
	'| header | in | value |',
	'| --- | --- | --- |',
	'| `x-brand-id` | requests with **Customer Messaging API** | Brand ID (§5.1) |',
	'| `x-api-key` | requests with **Customer Messaging API** | API Key (§5.1) |',
	'| `Authorization` | requests with **Customer Messaging Partner API** | `Bearer` and Access Token (§5.2) |',
	'| `accept`, `content-type` | all requests | `application/json` (§5.1) |',
	'| `X-RateLimit-Remaining` | responses | how many requests are left in this minute (§8); `rateLimitRemaining` of accepted items |',
	'| `Retry-After` | responses of 429 and 503 | not in the reference; followed where it is sent |',
	'| `Date` | responses | the clock of the service, for the minute of the limit |',
	'',
];
