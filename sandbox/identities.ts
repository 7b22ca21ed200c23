import type { IncomingHttpHeaders } from 'node:http';

export interface Credentials {
	brands: Array<{ brandId: string; apiKey: string }>;
	tokens: string[];
}

export const testCredentials: Credentials = {
	brands: [{ brandId: 'sandbox-brand', apiKey: 'sandbox-key' }],
	tokens: ['sandbox-token'],
};

/** The names of segments in the test credentials. A request holds only the ID. */
export const testSegments: ReadonlyMap<string, string> = new Map([
	['4711', 'Running club'],
	['42', 'VIP customers'],
	['7', 'Newsletter'],
]);

/** The segment as the node names it, such as `VIP customers (ID 42)`; undefined if its name is not known. */
export function nameSegment(id: string): string | undefined {
	const name = testSegments.get(id);
	return name && `${name} (ID ${id})`;
}

/** Identifies the caller (spec §5) without its secret, as `brand:<id>` or `token:<number>`. */
export class Identities {
	private readonly byKey = new Map<string, string>();
	private readonly byToken = new Map<string, string>();

	constructor({ brands, tokens }: Credentials) {
		for (const { brandId, apiKey } of brands) {
			this.byKey.set(`${brandId}\n${apiKey}`, `brand:${brandId}`);
		}
		tokens.forEach((token, index) => this.byToken.set(token, `token:${index + 1}`));
	}

	get names(): string[] {
		return [...new Set([...this.byKey.values(), ...this.byToken.values()])];
	}

	/** If a key is sent, only brand and key count, even if there is also a token. */
	find(headers: IncomingHttpHeaders): string | null {
		const key = headers['x-api-key'];
		if (key !== undefined) {
			return this.byKey.get(`${String(headers['x-brand-id'])}\n${String(key)}`) ?? null;
		}
		const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
		return (token !== undefined && this.byToken.get(token)) || null;
	}
}
