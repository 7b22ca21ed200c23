/** Requests per minute for each API that has a limit of its own (spec §8). */
export const defaultLimits = {
	user: 100,
	event: 500,
	campaign: 500,
	reporting: 50,
	push: 500,
	email: 500,
	sms: 500,
};

export type Api = keyof typeof defaultLimits;
