import type { Example } from './examples';
import type { Credentials } from './identities';

export type Urls = Record<'baseUrl' | 'pushUrl' | 'mailUrl', string>;

/** What a credential of n8n needs to reach the sandbox, and where n8n is, if the sandbox knows. */
export type Access = Credentials & {
	urls: Urls;
	editor?: string;
	/** The IDs of the examples in n8n. */
	workflows?: Partial<Record<Example, string>>;
};

/** Where the sandbox is and how to get in, for the terminal and for a browser. */
export function introduction(url: string, urls: Urls, { brands, tokens }: Credentials): string {
	const lines = [
		'Sandbox: a simulator of the customer messaging service. It sends nothing to anyone.',
		'',
		`  All hosts at one address   ${url}`,
	];
	if (urls.baseUrl !== url) {
		lines.push(
			`  User and event host        ${urls.baseUrl}`,
			`  Push host                  ${urls.pushUrl}`,
			`  Email and SMS host         ${urls.mailUrl}`,
		);
	}
	lines.push('', '  Test credentials, which open nothing else:');
	for (const { brandId, apiKey } of brands) {
		lines.push(`    Brand ID ${brandId}, API key ${apiKey}`);
	}
	for (const token of tokens) lines.push(`    Access token ${token}`);
	lines.push(
		'',
		`  The inbox, in a browser    ${url}`,
		`  What arrived               ${url}/sandbox/record`,
		`  What is left of the limits ${url}/sandbox/gauges`,
		`  Faults on demand           ${url}/sandbox/faults`,
		`  Limits, window, latency    ${url}/sandbox/settings`,
		'',
	);
	return lines.join('\n');
}
