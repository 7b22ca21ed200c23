import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { repository } from '../scripts/paths';

const folder = path.join(repository, 'nodes/CustomerMessaging/__schema__/v1.0.0');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** The package has the schemas without their descriptions. */
const published = (name: string, value: unknown) =>
	name === 'description' && typeof value === 'string' ? undefined : value;

/** The schemas that the package holds, by resource and operation such as `push/send`. */
export const outputSchemas: ReadonlyMap<string, unknown> = new Map(
	files.flatMap((file): Array<[string, unknown]> => {
		const [, operation] = /^(.+)\.json$/.exec(file.replaceAll(path.sep, '/')) ?? [];
		const text = () => readFileSync(path.join(folder, file), 'utf8');
		return operation ? [[operation, JSON.parse(text(), published)]] : [];
	}),
);
