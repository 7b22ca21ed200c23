import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { explain } from '../problem';
import { readTested } from '../n8n/testedVersions';
import { repository } from '../paths';
import { outputSchemas } from './outputSchemas';
import { reference } from './reference';
import { pagesWithVersions, withVersions } from './versions';

async function main(): Promise<void> {
	write('docs/reference.md', reference());
	for (const page of pagesWithVersions)
		write(page, withVersions(readFileSync(path.join(repository, page), 'utf8'), readTested()));
	for (const [file, schema] of outputSchemas())
		write(
			file,
			await format(JSON.stringify(schema), { parser: 'json', useTabs: true, printWidth: 100 }),
		);
}

function write(file: string, text: string): void {
	const target = path.join(repository, file);
	mkdirSync(path.dirname(target), { recursive: true });
	writeFileSync(target, text);
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exit(1);
});
