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
	'Written by `npm run docs`. After each label comes its key, in the workflow and in the body. "§" is a section of the [service\'s reference](service-api.md).',
	'',
	'- *AI*: the model of an AI agent may fill in the fields of this line, except the recipient of a question. A call that leaves anything else to it is refused.',
	'- Every operation takes *Connect using* (`authentication`: `apiKey` or `partnerToken`) and **Extra Body Fields** (`extraBodyFields`), a JSON object that is added to the body.',
	'- **Send and Wait for Response** (`sendAndWait`) takes only the fields that name it or are "required everywhere".',
	"- Of several recipients, **Recipient By** chooses the required one. A sender's fields are required if **Sender** is *Define Below*.",
	`- Messages are ${messages}. Their keys are at the top of the body.`,
	'- Without another type, a field takes text. *Chrome*: shown to Chrome subscribers only.',
	...kinds.map(([name, rule]) => `- *${name}*: ${rule.slice(0, 1).toLowerCase()}${rule.slice(1)}.`),
	'',
];

export const otherSettings = ['## Other settings', ''];

export const optionsIntroduction = [
	'## Options',
	'',
	'Keys of the collection `options`. Those that are off have true or false. **Preview Only** is on once it is added. Without **Parallel Requests**, up to 100 are sent at once where a limit is raised.',
	'',
];

/** Where the fields go in the body, by resource. */
export const bodies: Readonly<Record<string, readonly string[]>> = {
	user: [
		'One request carries many items: `{ "nv": [{ "userID": "…", "user_attributes": { … } }] }`. All attributes go into `user_attributes`, and **Extra Body Fields** beside `nv`.',
	],
	event: [
		'One request carries many items: `{ "nv": [{ "userID": "…", "event_name": "…", "attributes": { … }, "event_time": "…", "ltv": 1 }] }`. **Attributes** and mapped columns go into `attributes`, **Extra Event Fields** beside `event_name`, and **Extra Body Fields** beside `nv`.',
	],
	push: [
		'**Send At** adds `time`, or `schedule_date`, `schedule_time` and `time_zone`; nothing for *Now*. **Send and Wait for Response** sends the link to its page as `url`.',
	],
	email: [
		'**Send At** adds `schedule_date` and `schedule_time`, for *Now* too. **Send and Wait for Response** sends its **Message** and the button as `content`.',
	],
	sms: [
		'The schedule is that of an email. **Send and Wait for Response** adds the link to its page to `message`.',
	],
	customRequest: ['**Body** is the whole body. A path of a message or a broadcast is refused.'],
};
