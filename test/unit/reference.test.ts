import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { outputSchemas } from '../../scripts/docs/outputSchemas';
import { reference } from '../../scripts/docs/reference';
import { repository } from '../../scripts/paths';

const written = readFileSync(path.join(repository, 'docs/reference.md'), 'utf8');

test('docs/reference.md is what `npm run docs` makes of the operations', () => {
	expect(written).toBe(reference());
});

test.each([
	['POST` `{base_url}/api/v1/user/create` (§4.1)'],
	['POST` `{push_url}/api/v1/<platform>/send` (§4.2)'],
	['POST` `{push_url}/api/v1/<platform>/broadcast/all` (§4.2)'],
	['POST` `{push_url}/api/v1/<platform>/broadcast/segment` (§4.2)'],
	['POST` `{mail_url}/api/v1/email/broadcast` (§4.3)'],
	['POST` `{mail_url}/api/v1/sendMessage` (§4.3)'],
	['POST` `{mail_url}/api/v1/email/broadcast/all` (§4.3)'],
	['POST` `{mail_url}/api/v1/email/broadcast/segment` (§4.3)'],
	['POST` `{mail_url}/api/v1/sms/broadcast/` (§4.4)'],
	['POST` `{mail_url}/api/v1/sendMessage` (§4.4)'],
	['POST` `{mail_url}/api/v1/sms/broadcast/all` (§4.4)'],
	['POST` `{mail_url}/api/v1/sms/broadcast/segment` (§4.4)'],
])('docs/reference.md contains %s', (request) => {
	expect(written).toContain(request);
});

test('The schemas of the outputs are what `npm run docs` makes of the operations', () => {
	const folder = 'nodes/CustomerMessaging/__schema__';
	const files = readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${folder}/${name}`);
	expect(files.sort()).toEqual([...outputSchemas().keys()].sort());
	for (const [file, schema] of outputSchemas())
		expect(JSON.parse(readFileSync(path.join(repository, file), 'utf8'))).toEqual(schema);
});
