import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { resources } from '../../../nodes/CustomerMessaging/operations';
import { repository } from '../../../scripts/paths';
import { namedResources } from './support/namedResources';

const operations = 'nodes/CustomerMessaging/operations';
/** Each resource knows itself. */
const own = resources.map(({ value }) => `${operations}/${value}.ts`);
/** A scheme of links, and an attribute of users. */
const others = [
	"nodes/CustomerMessaging/fields/link.ts: ['sms', 'smsto', 'mailto', 'geo', 'facetime', 'facetime-audio']",
];

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.posix.join(folder, file)),
);

test('Only the file of a resource names it, so that a channel is added by one record.', () => {
	const found = files
		.filter((file) => !own.includes(file))
		.flatMap((file) => namedResources(file, readFileSync(path.join(repository, file), 'utf8')))
		.map((place) => place.replace(/:\d+:/, ':'));
	expect(found).toEqual(others);
	expect(files.length).toBeGreaterThan(90);
});

test.each([
	"const messages = ['email', 'push', 'sms'];",
	"const messages = new Set(['email', 'sms']);",
	"type Channel = 'email' | 'sms';",
	"type Channel = 'push';",
	"const nouns = { push: 'the push to', email: 'the email to' };",
	"const views = new Map([['push', 1]]);",
	"if (resource === 'sms') return [];",
	"if (run.resource !== 'email') return [];",
	"if ('user' === resource) return [];",
	"switch (resource) { case 'email': break; }",
	"switch (run.target.api) { case 'event': break; }",
	"switch (x) { case 'email': case 'user': break; }",
	"const isMail = resource.startsWith('email');",
	"const view = views[resource === 'user' ? 1 : 0];",
	"const shown = { show: { '/resource': ['sms'] } };",
	'const hint = \'{{ ["push"].includes($parameter["resource"]) }}\';',
	'const hint = `{{ ${name} === "sms" }}`;',
	"const isToOne = path.endsWith('sendMessage');",
	"const isToOne = hasPart(path, 'sendmessage');",
	'const isToOne = /sendmessage$/i.test(path);',
	"const isOpen = operation.resource === 'customRequest';",
	'interface Limits { push: number; email: number }',
])('The search finds %s', (source) => {
	expect(namedResources('file.ts', source)).not.toEqual([]);
});

test.each([
	"const label = 'Email';",
	"if ('email' in to) return to.email;",
	"const user = { name: 'x', email: 'y', mobile: 'z' };",
	"import { push } from './push';",
	'list.push(email);',
	"const noun = count(2, 'email');",
	"const text = 'Use an operation of Push, Email or SMS';",
])('The search leaves %s alone', (source) => {
	expect(namedResources('file.ts', source)).toEqual([]);
});
