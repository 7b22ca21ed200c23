import assert from 'node:assert/strict';
import type { NodeJson } from '../../../scripts/n8n/client';
import { editFields, eachRow, messaging, webhook, workflow } from '../../../scripts/n8n/workflows';
import { create, hintsOf, output, runByWebhook, type Bench } from '../bench';
import { createForRows, createWithErrorOutput } from '../rows';

/** Columns, dates and values as other tools leave them: each advice, followed to the letter, sends what was meant. */
export async function dataOfOtherTools(bench: Bench): Promise<void> {
	await missedColumns(bench);
	await foreignDates(bench);
	await optionalValues(bench);
}

const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };

interface User {
	userID: string;
	user_attributes?: Record<string, unknown>;
	event_time?: string;
}

/** The users or events that arrived, in order. */
const arrived = ({ arrivals }: { arrivals: ReadonlyArray<{ body: unknown }> }) =>
	arrivals.flatMap(({ body }) => (body as { nv: User[] }).nv);

const messagesOf = (...run: Parameters<typeof hintsOf>) =>
	hintsOf(...run).map(({ message }) => message.replaceAll('&amp;', '&'));

async function missedColumns(bench: Bench): Promise<void> {
	const path = 'missed-columns';
	const ignoreFields = 'NOTES, "Name, First"';
	const users = messaging('Users', { ...mapped, userIdField: 'id', ignoreFields });
	const rows = [
		{ id: 'C-1', 'E-Mail': 'ana@example.com', Notes: 'x', 'Name, First': 'Ana', Kaufdatum: 46350 },
		{ id: 'C-2', traits: { email: 'ben@example.com' }, notes: 'y', Kaufdatum: 46351 },
	];
	const run = await runByWebhook(bench, await createForRows(bench, path, users), path, { rows });
	assert.deepEqual(
		arrived(run).map((one) => one.user_attributes),
		[
			{ 'E-Mail': 'ana@example.com', Kaufdatum: 46350 },
			{ traits: { email: 'ben@example.com' }, Kaufdatum: 46351 },
		],
	);
	const hints = messagesOf(run, 'Users').join('\n');
	assert.match(
		hints,
		/The columns 'E-Mail', 'traits\.email' are stored .* so 2 users have no email/,
	);
	const [, email = ''] = /add the field email with (\{\{ .*? \}\})/.exec(hints) ?? [];
	const [, date = ''] = /'Kaufdatum' \(such as '46350'\): (\{\{ .*? \}\})\.$/m.exec(hints) ?? [];

	const fields: NodeJson = editFields('Edit Fields', {
		assignments: {
			assignments: [
				{ id: '1', name: 'email', type: 'string', value: `=${email}` },
				{ id: '2', name: 'Kaufdatum', type: 'string', value: `=${date}` },
			],
		},
		includeOtherFields: true,
		options: {},
	});
	const again = 'missed-columns-again';
	const nodes = [webhook(again), eachRow, fields, users];
	const stored = await create(bench, workflow(again, nodes, bench.credentialIds));
	const better = await runByWebhook(bench, stored, again, { rows: [...rows, { id: 'C-3' }] });
	assert.deepEqual(
		arrived(better).map(({ user_attributes = {} }) => [
			user_attributes.email,
			user_attributes.Kaufdatum,
		]),
		[
			['ana@example.com', '2026-11-24'],
			['ben@example.com', '2026-11-25'],
			[undefined, undefined],
		],
	);
	assert.deepEqual(messagesOf(better, 'Users'), []);

	const split = 'split-names';
	const wrong = messaging('Users', { ...mapped, userIdField: 'id', ignoreFields: 'Name, First' });
	const refused = await createWithErrorOutput(bench, split, {
		...wrong,
		onError: 'continueErrorOutput',
	});
	const nothing = await runByWebhook(bench, refused, split, { rows });
	assert.deepEqual(nothing.arrivals, []);
	for (const { json } of output(nothing.data, 'Failed'))
		assert.match(String(json.error), /Write its name in quotation marks: "Name, First"$/);
}

async function foreignDates(bench: Bench): Promise<void> {
	const times = [46350.395833333336, '1795512600', 'Tue, 24 Nov 2026 09:30:00 +0000'];
	const rows = [...times, '11/24/2026 12:30 PM GMT+3'].map((when, index) => ({
		userID: `C-${index}`,
		when,
	}));
	const event = (event_time: string) =>
		messaging(
			'Events',
			{
				...{ resource: 'event', operation: 'track', event_name: 'Bought', event_time },
				...{ userID: '={{ $json.userID }}', scheduleTimezone: 'UTC' },
			},
			{ onError: 'continueErrorOutput' },
		);
	const refusing = await createWithErrorOutput(bench, 'dates', event('={{ $json.when }}'));
	const refused = await runByWebhook(bench, refusing, 'dates', { rows });
	assert.deepEqual(refused.arrivals, []);
	const errors = output(refused.data, 'Failed').map(({ json }) => String(json.error));
	assert.equal(errors.length, rows.length);
	for (const [index, error] of errors.entries()) {
		const [, code = ''] = /, or convert it: (\{\{ .*? \}\})/.exec(error) ?? [];
		const path = `dates-${index}`;
		const stored = await createWithErrorOutput(bench, path, event(`=${code}`));
		const run = await runByWebhook(bench, stored, path, { rows: rows.slice(index, index + 1) });
		const [{ event_time } = { event_time: '' }] = arrived(run);
		assert.equal(event_time, '2026-11-24 09:30:00', error);
	}

	const code: NodeJson = {
		...editFields('Code', {
			jsCode:
				"return [{ json: { userID: 'C-1', when: new Date('2026-11-24T09:30:00Z') } }, { json: { userID: 'C-2', when: DateTime.fromISO('2026-11-24T10:30:00+01:00') } }];",
		}),
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
	};
	const path = 'raw-date';
	const nodes = [webhook(path), code, event('={{ $json.when }}')];
	const stored = await create(bench, workflow(path, nodes, bench.credentialIds));
	const run = await runByWebhook(bench, stored, path, { rows: [] });
	assert.deepEqual(
		arrived(run).map(({ event_time }) => event_time),
		['2026-11-24 09:30:00', '2026-11-24 09:30:00'],
	);
}

async function optionalValues(bench: Bench): Promise<void> {
	const users = (name: string, nick = '', options = {}) =>
		messaging(
			'Users',
			{
				...{ resource: 'user', operation: 'create', userID: '={{ $json.userID }}', name },
				...{ email: '={{ $json.email }}', mobile: '={{ $json.mobile }}', options },
				customAttributes: { assignments: [{ id: '1', name: 'nick', type: 'string', value: nick }] },
			},
			{ onError: 'continueErrorOutput' },
		);
	const rows = [
		{ userID: 'C-1', first: 'Ana', last: 'Ng', email: ' ', mobile: '\u00a0' },
		{ userID: 'C-2', first: 'Ben', last: null, email: 'ben@example.com', mobile: '+4915112345678' },
		{ userID: 'C-3', first: 'Cleo', last: 'Li', email: 'cleo@example.com', mobile: 'none yet' },
	];
	const runWith = async (path: string, node: NodeJson) =>
		await runByWebhook(bench, await createWithErrorOutput(bench, path, node), path, { rows });
	const written = '={{ $json.first }} {{ $json.last }}';
	const refused = await runWith('optional', users(written));
	assert.deepEqual(
		arrived(refused).map((one) => [one.userID, one.user_attributes]),
		[['C-1', { name: 'Ana Ng' }]],
	);
	const errors = output(refused.data, 'Failed').map(({ json }) => String(json.error));
	assert.equal(errors.length, 2);
	const misspelled = await runWith(
		'optional-attributes',
		users('={{ $json.first }}', '=Hi {{ $json.first-name }}'),
	);
	assert.deepEqual(misspelled.arrivals, []);
	for (const { json } of output(misspelled.data, 'Failed'))
		assert.match(
			String(json.error),
			/Custom Attributes: .* Did you mean \{\{ \$json\["first-name"\] \}\}\?/,
		);
	const [, joined = ''] = /Write (\{\{ .*? \}\}) in place of both/.exec(errors[0] ?? '') ?? [];

	const run = await runWith('optional-left', users(`=${joined}`, '', { leaveOutInvalid: true }));
	assert.deepEqual(
		arrived(run).map((one) => [one.userID, one.user_attributes]),
		[
			['C-1', { name: 'Ana Ng' }],
			['C-2', { name: 'Ben', email: 'ben@example.com', mobile: '+4915112345678' }],
			['C-3', { name: 'Cleo Li', email: 'cleo@example.com' }],
		],
	);
	assert.match(
		messagesOf(run, 'Users').join('\n'),
		/1 value was left out .* 'mobile' \(1, item 2\)/,
	);
}
