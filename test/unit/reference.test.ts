import { outputSchemas } from '../../scripts/docs/outputSchemas';
import { reference } from '../../scripts/docs/reference';
import { pagesWithVersions, withVersions } from '../../scripts/docs/versions';
import { readTested } from '../../scripts/n8n/testedVersions';
import { filesIn, textOf } from './support/pages';

test('docs/reference.md is what `npm run docs` makes of the operations', () => {
	expect(textOf('docs/reference.md')).toBe(reference());
});

test('The pages name the tested versions as `npm run docs` writes them', () => {
	for (const page of pagesWithVersions) {
		const text = textOf(page);
		expect(text).toBe(withVersions(text, readTested()));
	}
	const tested = { '1.9.0': '2026-01-30', '2.3.4': '2026-01-31' };
	expect(withVersions('In <!--tested--><!--/tested-->.', tested)).toBe(
		'In <!--tested-->1.9.0 and 2.3.4, the newest that could be installed here on 31 January 2026<!--/tested-->.',
	);
});

test('The schemas of the outputs are what `npm run docs` makes of the operations', () => {
	const files = filesIn('nodes/CustomerMessaging/__schema__');
	expect(files.sort()).toEqual([...outputSchemas().keys()].sort());
	for (const [file, schema] of outputSchemas()) expect(JSON.parse(textOf(file))).toEqual(schema);
});
