import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, repository } from '../paths';
import { toolPackages } from './tool';

const linted = ['package.json', 'tsconfig.json', 'eslint.config.mjs', 'nodes', 'credentials'];

/**
 * Copies what n8n reviews into a folder. In the project's folder, n8n's configuration lints tests and scripts by rules
 * for nodes. The copy is inside the project, so that the imports of `nodes/` are found among the project's packages.
 */
export function stage(): string {
	const folder = path.join(cacheFolder, 'review');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	for (const name of linted)
		cpSync(path.join(repository, name), path.join(folder, name), { recursive: true });
	symlinkSync(toolPackages, path.join(folder, 'node_modules'), 'junction');
	return folder;
}
