// `run.mjs <file.ts> …` installs what is missing and runs the file in this very process. A shell or another
// process in between would end first on Ctrl-C, and the terminal would be back before everything is stopped.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureInstalled, refuseUnsupportedNode } from './ensureInstalled.mjs';

const file = path.resolve(process.argv[2] ?? '');
process.argv.splice(1, 2, file);
if (file.endsWith(path.join('scripts', 'start.ts'))) refuseUnsupportedNode();
await ensureInstalled();
const require = createRequire(import.meta.url);
require('tsx/cjs');
require(file);
