import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../paths';
import { messagesPage } from './messages';
import { reference } from './reference';

writeFileSync(path.join(repository, 'docs', 'reference.md'), reference());
writeFileSync(path.join(repository, 'docs', 'messages.md'), messagesPage());
