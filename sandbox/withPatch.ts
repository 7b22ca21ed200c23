interface Grouped {
	limits: object;
	window: object;
}

/** Part of the settings. Groups of settings can also be partial. */
export type PatchOf<Settings extends Grouped> = Partial<Omit<Settings, keyof Grouped>> & {
	[Group in keyof Grouped]?: Partial<Settings[Group]>;
};

/** The settings with the patch applied. What the patch leaves out stays as it was. */
export function withPatch<Settings extends Grouped>(
	settings: Settings,
	{ limits, window, ...rest }: PatchOf<Settings>,
): Settings {
	return {
		...settings,
		...withoutUndefined(rest),
		limits: { ...settings.limits, ...withoutUndefined(limits ?? {}) },
		window: { ...settings.window, ...withoutUndefined(window ?? {}) },
	};
}

// An option passed on as undefined means "not given", as with default parameters.
function withoutUndefined<T extends object>(values: T): T {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
