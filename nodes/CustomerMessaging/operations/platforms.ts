import { z } from 'zod/v3';

import { unknownChoice } from '../fields/choice';
import { convertedFrom, prepared } from '../fields/convert';
import type { Declaration, FormParameter } from '../fields/field';
import { platforms } from '../shared/delivery';

/** The choice of platforms, each of which is one request. */
export const platformChoice: Omit<FormParameter, keyof Declaration> = {
	displayName: 'Platforms',
	name: 'platforms',
	type: 'multiOptions',
	required: true,
	default: ['web'],
	description: 'Where to send it; each platform is one request and one output item',
	options: [
		{ name: 'Android', value: 'android' },
		{ name: 'iOS', value: 'ios' },
		{ name: 'Web', value: 'web' },
	],
};

/** Not shown for an expression, whose platforms the form does not know. */
export const webOnlyNotice: FormParameter = {
	displayName: 'Only browsers get this. To reach phones too, add Android and iOS.',
	name: 'webOnlyNotice',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'notice',
	default: '',
	displayOptions: { hide: { platforms: ['android', 'ios', { _cnd: { regex: '^=' } }] } },
};

const errorMap: z.ZodErrorMap = (_, { data }) => ({ message: unknownChoice(platformChoice, data) });

/** Reads the chosen platforms, each only once. */
export const platformList = prepared(
	(value) => (typeof value === 'string' ? [value] : (value ?? [])),
	convertedFrom(
		z
			.array(z.enum(platforms, { errorMap }), { errorMap })
			.min(1, 'Platforms is empty. Choose at least one'),
		(list) => [...new Set(list)],
	),
);
