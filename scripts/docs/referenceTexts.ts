/** What the reference says that no entry of the node holds. */

export const introduction = [
	'# Reference',
	'',
	'Made by `npm run docs` from the operations themselves; a test fails when it is out of date. "§" is a section of the [service\'s reference](service-api.md).',
	'',
	"- The **key** of a field is its name in the workflow's JSON and in the body that is sent. A field left empty is not sent.",
	'- Every field of a body takes an expression. What a rule refuses is named by item, field and rule, and is not sent.',
	'- **AI** says whether, or in which operations, the model of an AI agent may fill it in. The call is refused if anything else is left to the model.',
	'- Choose the credential under **Authentication** (`authentication`): `apiKey`, the default, or `partnerToken`.',
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
		'Each platform is one request and one output item. Every key stands at the top of the body, and so do the keys of **Extra Body Fields**. **Send At** adds `time`, or `schedule_date`, `schedule_time` and `time_zone`; nothing for *Now*. **Send and Wait for Response** sends the link to its page as `url`.',
	],
	email: [
		'Every key stands at the top of the body, and so do the keys of **Extra Body Fields**. **Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** sends its **Message** and the button as `content`. The sender comes from **Default Senders** of the credential unless **Sender** is *Define Below*.',
	],
	sms: [
		'Every key stands at the top of the body, and so do the keys of **Extra Body Fields**. **Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** adds the link to its page to `message`. The sender comes from **Default Senders** of the credential unless **Sender** is *Define Below*.',
	],
	customRequest: [
		'**Body** is the whole body, and the keys of **Extra Body Fields** are added to it. A path of a broadcast is refused.',
	],
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
