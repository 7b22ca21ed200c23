// `run.mjs <file.ts> …` installs what is missing and runs the file in this very process. A shell or another
// process in between would be the first to end on Ctrl-C, and the terminal would be back before all is stopped.
import { createRequire } from 'node:module';
import path from 'node:path';
import './ensure-installed.mjs';

const file = path.resolve(process.argv[2] ?? '');
process.argv.splice(1, 2, file);
const require = createRequire(import.meta.url);
require('tsx/cjs');
require(file);
