import { readFileSync } from 'node:fs';
import path from 'node:path';

import { reference } from '../../scripts/docs/reference';

const written = readFileSync(path.join(__dirname, '../../docs/reference.md'), 'utf8');

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
