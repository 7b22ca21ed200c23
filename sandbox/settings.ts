import { z } from 'zod';
import { defaultLimits } from './limiter';
import { forEachApi, maxDelayMs } from './terms';
import { withPatch } from './withPatch';

const count = z.number().int().min(0);
const milliseconds = z.number().min(0).max(maxDelayMs);

/** For one body. The sandbox answers nothing else while it reads one. */
export const maxReadBytes = 5 * 1024 * 1024;

const dayMs = 24 * 60 * 60 * 1000;
const yearMs = 365 * dayMs;

const limits = z.object(forEachApi(() => count)).strict();

const window = z
	.object({
		kind: z.enum(['clockMinute', 'firstRequest', 'sliding']),
		lengthMs: z.number().int().min(1).max(dayMs),
	})
	.strict();

const latency = z
	.tuple([milliseconds, milliseconds])
	.refine(([least, most]) => least <= most, 'the first number must not exceed the second');

/** The settings that can be changed while the sandbox runs. */
export const settingsPatch = z
	.object({
		limits: limits.partial(),
		window: window.partial(),
		/** How long a response takes; with two numbers, a random time between them. */
		latencyMs: z.union([milliseconds, latency]),
		sendRateLimitHeader: z.boolean(),
		/** How far the service's clock is ahead. Affects its `Date` header and its windows. */
		clockSkewMs: z.number().int().min(-yearMs).max(yearMs),
		/** A larger body is refused with 413. */
		maxBodyBytes: z.number().int().min(1).max(maxReadBytes),
		/** Precedes `/api/v1` in all paths, such as `/eu1`; other paths are then unknown. */
		pathPrefix: z.string().regex(/^(\/[\w-]+)*$/, 'must be a path such as /eu1, or empty'),
		/** Users that are refused although they are valid. */
		rejectUserIDs: z
			.union([z.array(z.string()), z.set(z.string())])
			.transform((ids) => new Set(ids)),
	})
	.strict()
	.partial();

export type SettingsPatch = z.input<typeof settingsPatch>;

export interface Settings extends Required<z.output<typeof settingsPatch>> {
	limits: z.output<typeof limits>;
	window: z.output<typeof window>;
}

export const defaultSettings: Settings = {
	limits: defaultLimits,
	window: { kind: 'clockMinute', lengthMs: 60_000 },
	latencyMs: 0,
	sendRateLimitHeader: true,
	clockSkewMs: 0,
	maxBodyBytes: maxReadBytes,
	pathPrefix: '',
	rejectUserIDs: new Set(),
};

/** @throws ZodError naming what is wrong with the patch */
export function changed(settings: Settings, patch: unknown): Settings {
	return withPatch(settings, settingsPatch.parse(patch));
}

/** As they are served over HTTP. */
export type ShownSettings = Omit<Settings, 'rejectUserIDs'> & { rejectUserIDs: string[] };

export function shownSettings(settings: Settings): ShownSettings {
	return { ...settings, rejectUserIDs: [...settings.rejectUserIDs] };
}
