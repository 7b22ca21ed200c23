/** All in the viewer's own time zone and format. */
const day = new Intl.DateTimeFormat(undefined, {
	weekday: 'short',
	day: 'numeric',
	month: 'short',
	year: 'numeric',
});
const shortDay = new Intl.DateTimeFormat(undefined, {
	weekday: 'short',
	day: 'numeric',
	month: 'short',
});
const longDay = new Intl.DateTimeFormat(undefined, {
	weekday: 'long',
	day: 'numeric',
	month: 'long',
});
const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat(undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
});
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const formatDay = (ms: number): string => day.format(ms);
export const formatLongDay = (ms: number): string => longDay.format(ms);
export const formatHour = (ms: number): string => hour.format(ms);
export const dateTime = (ms: number): string => full.format(ms);

/** Leaves out the year if it is the current one. */
export function dayFrom(ms: number, nowMs: number): string {
	const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
	return (isThisYear ? shortDay : day).format(ms);
}

/** Only the time for today, and only the day for all other days. */
export function briefly(ms: number, nowMs: number): string {
	return formatDay(ms) === formatDay(nowMs) ? second.format(ms) : dayFrom(ms, nowMs);
}
