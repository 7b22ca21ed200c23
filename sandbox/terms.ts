/** What carries messages, as the inbox calls it. */
export const messageNames = { push: 'Push', email: 'Email', sms: 'SMS' } as const;
export type MessageChannel = keyof typeof messageNames;

/** Each has a rate limit of its own (spec §8). */
export type Api = 'user' | 'event' | 'campaign' | 'reporting' | MessageChannel;
export const apis: readonly [Api, ...Api[]] = [
	...(['user', 'event', 'campaign', 'reporting'] as const),
	...(Object.keys(messageNames) as MessageChannel[]),
];

/** What is the same for each API. */
export function forEachApi<Value>(valueOf: (api: Api) => Value): Record<Api, Value> {
	return Object.fromEntries(apis.map((api) => [api, valueOf(api)])) as Record<Api, Value>;
}

export function isMessageChannel(channel: Channel | null): channel is MessageChannel {
	return channel !== null && Object.hasOwn(messageNames, channel);
}

/** What carries a message. The names are those of the APIs, because each API serves one channel. */
export type Channel = Api;

export const platforms = ['web', 'android', 'ios'] as const;
export type Platform = (typeof platforms)[number];

/** Which of the spec's three hosts a port represents. `any` represents all of them. */
export type HostRole = 'any' | 'base' | 'push' | 'mail';

/** Where events are tracked. */
export const eventPath = '/api/v1/event/create';

/** Node runs a timer with a longer delay immediately. */
export const maxDelayMs = 2 ** 31 - 1;

export interface Problem {
	path: string;
	rule: string;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
