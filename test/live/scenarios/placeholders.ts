import assert from 'node:assert/strict';
import type { NodeJson } from '../../../scripts/n8n/client';
import { eachRow, webhook, workflow } from '../../../scripts/n8n/workflows';
import { create, hintsOf, output, runByWebhook, type Bench } from '../bench';
import { pushNode } from '../rows';

const row = {
	...{ userID: 'C-1', Name: 'Ann', 'first-name': 'Ann', 'First Name': 'Ann', empty: '' },
	...{ tags: ['gold'], user: { name: 'Bo' } },
};

/** Titles, and why they are refused, or the title that arrives. */
const titles: ReadonlyArray<readonly [title: string, says: RegExp | string]> = [
	[
		'=Hi {{ name | upcase }}',
		/no filter|does not know\. Did you mean \{\{ \$json\.Name\.toUpperCase\(\) \}\}\?/,
	],
	['=Hi {{ $json.Name.toUpperCase() }}', 'Hi ANN'],
	['=Hi {{ user.name | upcase }}', /Did you mean \{\{ \$json\.user\.name\.toUpperCase\(\) \}\}\?/],
	["=Hi {{ name | default: 'you' }}", /Did you mean \{\{ \$json\.Name \|\| 'you' \}\}\?/],
	[
		"=Hi {{ $json.Name.toTitleCase || 'you' }}",
		/Write \{\{ \$json\.Name\.toTitleCase\(\) \|\| 'you' \}\}/,
	],
	['={{ $json.tags }}', /Take one of its values, such as \{\{ \$json\.tags\[0\] \}\}/],
	['={{ $json.tags[0] }}', 'gold'],
	[
		"=On {{ $json.date.toDateTime().toFormat('dd') }}",
		/A value in it is missing|is empty|gives nothing/,
	],
	['Hi {name|you}', 'Hi {name|you}'],
	['=Hi {{ $json.first-name }}', /hyphen\. Did you mean \{\{ \$json\["first-name"\] \}\}\?/],
	['=Hi {{ $json["first-name"] }}', 'Hi Ann'],
	[
		'=Hi {{ $json.userID.toLowerCase }}',
		/is a function; add \(\)\. Write \{\{ \$json\.userID\.toLowerCase\(\) \}\}/,
	],
	['={{ $json.userID.toLowerCase }}', /Did you mean \{\{ \$json\.userID\.toLowerCase\(\) \}\}\?/],
	['=Hi {{ $json.userID.toTitleCase }}', /is a function; add \(\)/],
	['=Hi {{ $json.Name || “friend” }}', /Did you mean \{\{ \$json\.Name \|\| "friend" \}\}\?/],
	['=Hi {{ $json.First Name }}', /Did you mean \{\{ \$json\["First Name"\] \}\}\?/],
	['=Hi {{#if vip}}you{{/if}}', /It is a tag of another tool/],
	['Hi *|FNAME|*', /'\*\|FNAME\|\*' is a placeholder of another tool/],
	['Hi [Vorname]', 'Hi [Vorname]'],
	['It&#8217;s here', 'It&#8217;s here'],
	[
		"=Hi {{ $json.a.b || 'friend' }}",
		/not even its fallback\. Write \{\{ \$json\.a\?\.b \|\| 'friend' \}\}/,
	],
	["=Hi {{ $json.a?.b || 'friend' }}", 'Hi friend'],
	["=Hi {{ $json.empty ?? 'friend' }}", /Write \{\{ \$json\.empty \|\| 'friend' \}\}/],
	["=Hi{{ $json.vip ? ' VIP' : '' }}!", 'Hi!'],
	['=Hi {{ $json.price * 2 }}', /is a calculation without a result/],
];

/** What people paste from other tools, and what n8n misreads or leaves out silently, reaches nobody. */
export async function placeholdersOfOthers(bench: Bench): Promise<void> {
	const settings = { onError: 'continueRegularOutput' };
	const nodes = titles.map(([title], index) => ({
		...pushNode({ title }, settings),
		id: `push-${index}`,
		name: `Push ${index}`,
	}));
	const path = 'placeholders-of-others';
	const wires = { Webhook: [['Each row']], 'Each row': [nodes.map(({ name }) => name)] };
	const all = workflow(path, [webhook(path), eachRow, ...nodes], bench.credentialIds, wires);
	const run = await runByWebhook(bench, await create(bench, all), path, { rows: [row] });
	const sent = run.arrivals.map(({ body }) => (body as { title: string }).title);
	assert.deepEqual(
		sent,
		titles.flatMap(([, says]) => (typeof says === 'string' ? says : [])),
	);
	for (const [index, [title, says]] of titles.entries()) {
		const [item] = output(run.data, `Push ${index}`);
		if (typeof says === 'string') assert.equal(item?.json.outcome, 'accepted', title);
		else assert.match(String(item?.json.error), says);
	}
	const hints = nodes.flatMap(({ name }) => hintsOf(run, name).map(({ message }) => message));
	assert.match(hints.join('\n'), /'\[Vorname\]' \(item 0\) looks like a placeholder/);
	assert.match(hints.join('\n'), /8217;s here' in Title \(item 0\) is HTML in a plain text/);
	await brokenPairing(bench);
}

/** A Code node that makes new items leaves n8n without knowing which row each comes from. */
async function brokenPairing(bench: Bench): Promise<void> {
	const path = 'broken-pairing';
	const fewer: NodeJson = {
		id: 'fewer',
		name: 'Fewer',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [0, 0],
		parameters: { jsCode: 'return $input.all().slice(1).map(({ json }) => ({ json }));' },
	};
	const title = "=Hi {{ $('Each row').item.json.Name || 'friend' }}";
	const push = pushNode({ title }, { onError: 'continueRegularOutput' });
	const all = workflow(path, [webhook(path), eachRow, fewer, push], bench.credentialIds);
	const rows = ['C-1', 'C-2', 'C-3'].map((userID) => ({ ...row, userID }));
	const run = await runByWebhook(bench, await create(bench, all), path, { rows });
	assert.deepEqual(run.arrivals, []);
	const errors = output(run.data, 'Push').map(({ json }) => String(json.error));
	assert.equal(errors.length, 2);
	for (const error of errors)
		assert.match(error, /n8n may not know which \$\('Each row'\)\.item belongs to this item/);
}
