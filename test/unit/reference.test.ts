import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { outputSchemas } from '../../scripts/docs/outputSchemas';
import { reference } from '../../scripts/docs/reference';
import { pagesWithVersions, withVersions } from '../../scripts/docs/versions';
import { readTested } from '../../scripts/n8n/testedVersions';
import { repository } from '../../scripts/paths';

const written = readFileSync(path.join(repository, 'docs/reference.md'), 'utf8');

test('docs/reference.md is what `npm run docs` makes of the operations', () => {
	expect(written).toBe(reference());
});

test('The pages name the tested versions as `npm run docs` writes them', () => {
	for (const page of pagesWithVersions) {
		const text = readFileSync(path.join(repository, page), 'utf8');
		expect(text).toBe(withVersions(text, readTested()));
	}
	const tested = { '1.9.0': '2026-01-30', '2.3.4': '2026-01-31' };
	expect(withVersions('In <!--tested--><!--/tested-->.', tested)).toBe(
		'In <!--tested-->1.9.0 and 2.3.4, the newest that could be installed here on 31 January 2026<!--/tested-->.',
	);
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
