import { defaultLimits } from '../../nodes/CustomerMessaging/shared/apis';
import { audienceKeys, type Field, type Fields } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import {
	hasPlatforms,
	hostNames,
	type Operation,
	type Resource,
} from '../../nodes/CustomerMessaging/operations/operation';
import { listWhatToCheck } from '../../nodes/CustomerMessaging/report/whatToCheck';
import { scheduleForm } from '../../nodes/CustomerMessaging/schedule/form';
import { optionFields } from '../../nodes/CustomerMessaging/run/options';
import { sendOnceForm } from '../../nodes/CustomerMessaging/run/sendOnce';

/** How the service's reference (§1) writes the three hosts. */
const placeholders = {
	baseUrl: '{base_url}',
	pushUrl: '{push_url}',
	mailUrl: '{mail_url}',
} as const;

/** The reference of all operations in Markdown, made from the entries that the node itself uses. */
export function reference(): string {
	return [
		'# Reference',
		'',
		'Made by `npm run docs` from the operations themselves; a test fails when it is out of date. "§" is a section of the [service\'s reference](service-api.md).',
		'',
		"- The key of a field is its name in the workflow's JSON and in the body that is sent. A field left empty is not sent.",
		'- Every field of a body takes an expression. What a rule refuses is named by item, field and rule, and is not sent.',
		'',
		...resources.flatMap(ofResource),
		'## Send At',
		'',
		"Of push, email and SMS; **After a Delay** of push only (§4.2 note 3, §2.3, §2.4). **Within Hours** is this node's own.",
		'',
		...table(
			['setting', 'key', 'about'],
			scheduleForm('push').map(({ displayName, name, description = '' }) => [
				displayName,
				`\`${name}\``,
				plain(description),
			]),
		),
		'',
		'## Send Once',
		'',
		'Of every operation except User > Create or Update and Send and Wait for Response. [Send each message once](guides/never-twice.md) explains it.',
		'',
		...table(
			['setting', 'key', 'about'],
			sendOnceForm.map(({ displayName, name, description = '' }) => [
				displayName,
				`\`${name}\``,
				description,
			]),
		),
		'',
		'## Options',
		'',
		'Of every operation, under **Options**.',
		'',
		...table(
			['option', 'key', 'takes', 'about', 'default'],
			Object.entries(optionFields).map(([key, field]) => [
				...row(key, field),
				field.form.type === 'fixedCollection'
					? ''
					: String(field.form.default as string | number | boolean),
			]),
		),
		'',
	].join('\n');
}

function ofResource(resource: Resource): string[] {
	return resource.operations.flatMap((operation) => ofOperation(resource, operation));
}

function ofOperation({ name, value, target }: Resource, operation: Operation): string[] {
	const { required, recipients = {}, sender = {}, optional } = operation.fields;
	const host = target
		? `${placeholders[target.host]}${operation.path}`
		: "a path of your own on one of the credential's addresses";
	const facts = [
		`- request: \`POST\` ${target ? `\`${host}\`` : host} (§${operation.section})${operation.isPathOfAccount ? ', or to the path under **Custom Paths** of the credential' : ''}`,
		...(target ? [`- address: **${hostNames[target.host]}** of the credential`] : []),
		`- limit: ${target ? `\`${target.api}\`, ${defaultLimits[target.api]} requests per minute where **Custom Limits** of the credential says nothing else` : 'the one chosen under **API**'} (§8)`,
		...(hasPlatforms(operation)
			? [
					'- `<platform>`: each of **Platforms** (`platforms`: `web`, `android`, `ios`) is one request and one output item',
				]
			: []),
		...(operation.batchKey
			? [
					`- many rows travel in one request, under \`${operation.batchKey}\`; each row is one output item`,
				]
			: []),
		...(operation.fields.sender
			? [
					'- sender: **Sender** (`senderFrom`) takes it from **Default Senders** of the credential (`credential`, the default), or from the fields below (`define`)',
				]
			: []),
		...(operation.form.some(({ name }) => name === 'sendAt')
			? ['- when: **Send At** (`sendAt`), below']
			: []),
		...(operation.isBroadcast
			? [
					'- reaches many: guarded by **Test Runs** (`testRuns`) and **Max Broadcasts** (`maxBroadcasts`)',
				]
			: []),
		...(operation.isMessage && !operation.isBroadcast
			? [
					audienceKeys(operation.fields.recipients).length > 0
						? '- started by hand: sends to single persons and only shows messages to a campaign, unless **Test Runs** (`testRuns`) says otherwise; **Max Broadcasts** (`maxBroadcasts`) counts messages to each campaign'
						: '- started by hand: sends, unless **Test Runs** (`testRuns`) says otherwise',
				]
			: []),
		...(operation.waits
			? [
					'- waits for the answer on the page that the link in the message opens; the execution goes on with `{ "data": { "approved": true } }` or `{ "data": { "text": "…" } }`, or with its input when **Limit Wait Time** is over',
				]
			: []),
		`- worth checking after a 400 or 404 (§7): ${listWhatToCheck({ operation, target })}`,
	];
	const listed = [
		...Object.entries(required).map((entry) => [...row(...entry), 'yes']),
		...Object.entries(recipients).map((entry) => [
			...row(...entry),
			'as chosen under **Recipient By** (`recipientBy`)',
		]),
		...Object.entries(sender).map((entry) => [...row(...entry), 'if **Sender** is Define Below']),
		...Object.entries(optional).map((entry) => [...row(...entry), '']),
	];
	return [
		`## ${name}: ${operation.name}`,
		'',
		`${operation.description}. \`resource: ${value}\`, \`operation: ${operation.value}\`.`,
		'',
		...facts,
		'',
		...ownFields(operation, { ...required, ...recipients, ...optional }),
		...table(['field', 'key', 'takes', 'about', 'required'], listed),
		'',
	];
}

/** Fields of the form that are not in the body: where its values come from, or where it is sent. */
function ownFields(
	{ form, path, batchKey, waits, fields: { sender = {} } }: Operation,
	inBody: Fields,
): string[] {
	if (path !== undefined && batchKey === undefined && !waits) return [];
	const inFacts = ['platforms', 'recipientBy', 'senderFrom', ...Object.keys(sender)];
	const own = form.filter(
		({ name, type }) => !(name in inBody) && type !== 'collection' && !inFacts.includes(name),
	);
	const rows = own.map(({ displayName, name, description = '', required }) => [
		displayName,
		`\`${name}\``,
		plain(description),
		required ? 'yes' : '',
	]);
	return [...table(['setting', 'key', 'about', 'required'], rows), ''];
}

function row(key: string, { form, rule }: Field): string[] {
	const about = [form.description, form.hint]
		.filter(Boolean)
		.map((sentence) => String(sentence).replace(/\.$/, ''));
	return [form.displayName, `\`${key}\``, rule, about.join('. ')];
}

/** Without the markup that the editor shows. */
function plain(text: string): string {
	return text.replace(/<[^>]+>/g, '');
}

function table(heads: string[], rows: string[][]): string[] {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}
