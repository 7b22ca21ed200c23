export const apis = ['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'] as const;

/** What a rate limit is kept for (spec §8). */
export type Api = (typeof apis)[number];

/** Who is reached; the same words as the APIs, as each API serves one channel. */
export type Channel = Api;

export const platforms = ['web', 'android', 'ios'] as const;
export type Platform = (typeof platforms)[number];

/** Which of the spec's three hosts a port plays; `any` plays all of them. */
export type HostRole = 'any' | 'base' | 'push' | 'mail';

/** Header of an answer to a change made over HTTP: its number, to compare with the one in the inbox's events. */
export const changeHeader = 'x-sandbox-change';

export interface Problem {
	path: string;
	rule: string;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
