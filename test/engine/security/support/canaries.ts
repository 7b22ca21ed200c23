import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy } from 'n8n-workflow';

import { everythingIn } from '../../support/everything';
import { ampleLimits } from '../../support/service';
import { secrets } from './secrets';

/** Limits that are so high that no test waits for them. */
export const limits = {
	customLimits: true,
	...Object.fromEntries(Object.entries(ampleLimits).map(([api, most]) => [`${api}Limit`, most])),
};

/** The secrets that appear anywhere in what a run left behind. */
export function leaksIn(...leftBehind: unknown[]): string[] {
	const text = leftBehind.map(everythingIn).join('\n');
	return Object.values(secrets).filter((secret) => text.includes(secret));
}

/** Everything that the node and n8n itself log from now on. */
export function recordLog(): unknown[] {
	const logged: unknown[] = [];
	const keep = (...entry: unknown[]) => void logged.push(entry);
	const recorder = { error: keep, warn: keep, info: keep, debug: keep, scoped: () => recorder };
	Container.set(Logger, recorder as unknown as Logger);
	LoggerProxy.init(recorder);
	return logged;
}
