import assert from 'node:assert/strict';
import { eachRow, editFields, messaging } from '../../../scripts/n8n/workflows';
import { hintTexts, output, requestsOf, runByWebhook, type Bench } from '../bench';
import { createBehindWebhook, goingOn, pushNode } from '../rows';

const row = {
	...{ userID: 'C-1', Name: 'Ann', 'first-name': 'Ann', 'First Name': 'Ann', empty: '' },
	...{ tags: ['gold'], user: { name: 'Bo' } },
};

/** Titles, and why they are refused, or the title that arrives. Each version of n8n evaluates them in its own way. */
const titles: ReadonlyArray<readonly [title: string, says: RegExp | string]> = [
	['=Hi {{ $json.Name.toUpperCase() }}', 'Hi ANN'],
	['=Hi {{ user.name | upcase }}', /Did you mean \{\{ \$json\.user\.name\.toUpperCase\(\) \}\}\?/],
	["=Hi {{ name | default: 'you' }}", /Did you mean \{\{ \$json\.Name \|\| 'you' \}\}\?/],
	[
		"=Hi {{ $json.Name.toTitleCase || 'you' }}",
		/Write \{\{ \$json\.Name\.toTitleCase\(\) \|\| 'you' \}\}/,
	],
	['={{ $json.tags }}', /Take one of its values, such as \{\{ \$json\.tags\[0\] \}\}/],
	[
		"=On {{ $json.date.toDateTime().toFormat('dd') }}",
		/A value in it is missing|is empty|gives nothing/,
	],
	['=Hi {{ $json.first-name }}', /hyphen\. Did you mean \{\{ \$json\["first-name"\] \}\}\?/],
	['={{ $json.userID.toLowerCase }}', /Did you mean \{\{ \$json\.userID\.toLowerCase\(\) \}\}\?/],
	['=Hi {{ $json.Name || “friend” }}', /Did you mean \{\{ \$json\.Name \|\| "friend" \}\}\?/],
	['=Hi {{ $json.First Name }}', /Did you mean \{\{ \$json\["First Name"\] \}\}\?/],
	['=Hi {{#if vip}}you{{/if}}', /It is a tag of another tool/],
	['Hi [Vorname]', 'Hi [Vorname]'],
	[
		"=Hi {{ $json.a.b || 'friend' }}",
		/not even its fallback\. Write \{\{ \$json\.a\?\.b \|\| 'friend' \}\}/,
	],
	["=Hi {{ $json.a?.b || 'friend' }}", 'Hi friend'],
	["=Hi{{ $json.vip ? ' VIP' : '' }}!", 'Hi!'],
	['=Hi {{ $json.price * 2 }}', /is a calculation without a result/],
];

/** What n8n misreads or leaves out silently reaches nobody. */
export async function misreadByN8n(bench: Bench): Promise<void> {
	const nodes = titles.map(([title], index) => ({
		...pushNode({ title }, goingOn),
		...{ id: `push-${index}`, name: `Push ${index}` },
	}));
	const wires = { Webhook: [['Each row']], 'Each row': [nodes.map(({ name }) => name)] };
	const stored = await createBehindWebhook(bench, 'misread', [eachRow, ...nodes], { wires });
	const run = await runByWebhook(bench, stored, { rows: [row] });
	assert.deepEqual(
		run.arrivals.map(({ body }) => (body as { title: string }).title),
		titles.flatMap(([, says]) => (typeof says === 'string' ? says : [])),
	);
	for (const [index, [title, says]] of titles.entries()) {
		const [item] = output(run.data, `Push ${index}`);
		if (typeof says === 'string') assert.equal(item?.json.outcome, 'accepted', title);
		else assert.match(String(item?.json.error), says);
	}
	const hints = nodes.map(({ name }) => hintTexts(run, name)).join('\n');
	assert.match(hints, /'\[Vorname\]' \(item 0\) looks like a placeholder/);
	await brokenPairing(bench);
	await datesOfCode(bench);
}

const codeNode = (jsCode: string) => ({
	...editFields('Code', { jsCode }),
	...{ type: 'n8n-nodes-base.code', typeVersion: 2 },
});

/** A Code node that makes new items leaves n8n without knowing which row each comes from. */
async function brokenPairing(bench: Bench): Promise<void> {
	const fewer = codeNode('return $input.all().slice(1).map(({ json }) => ({ json }));');
	const push = pushNode({ title: "=Hi {{ $('Each row').item.json.Name || 'friend' }}" }, goingOn);
	const stored = await createBehindWebhook(bench, 'broken-pairing', [eachRow, fewer, push]);
	const rows = ['C-1', 'C-2', 'C-3'].map((userID) => ({ ...row, userID }));
	const run = await runByWebhook(bench, stored, { rows });
	assert.deepEqual(run.arrivals, []);
	const errors = output(run.data, 'Push').map(({ json }) => String(json.error));
	assert.equal(errors.length, 2);
	for (const error of errors)
		assert.match(error, /n8n may not know which \$\('Each row'\)\.item belongs to this item/);
}

/** A Code node hands over dates as they are. */
async function datesOfCode(bench: Bench): Promise<void> {
	const code = codeNode(`return [
		{ json: { when: new Date('2026-11-24T09:30:00Z') } },
		{ json: { when: DateTime.fromISO('2026-11-24T10:30:00+01:00') } },
	];`);
	const event = messaging('Events', {
		...{ resource: 'event', operation: 'track', event_name: 'Bought', userID: 'C-1' },
		...{ event_time: '={{ $json.when }}', scheduleTimezone: 'UTC' },
	});
	const stored = await createBehindWebhook(bench, 'raw-date', [code, event]);
	const arrived = requestsOf(await runByWebhook(bench, stored, {}));
	const events = arrived.flatMap(({ body }) => (body as { nv: Array<{ event_time: string }> }).nv);
	assert.deepEqual(
		events.map(({ event_time }) => event_time),
		['2026-11-24 09:30:00', '2026-11-24 09:30:00'],
	);
}
