import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { outputSchemas } from '../../scripts/docs/outputSchemas';
import { reference } from '../../scripts/docs/reference';
import { repository } from '../../scripts/paths';

const written = readFileSync(path.join(repository, 'docs/reference.md'), 'utf8');

test('docs/reference.md is what `npm run docs` makes of the operations', () => {
	expect(written).toBe(reference());
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
