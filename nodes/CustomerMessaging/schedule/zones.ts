import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { MINUTE_MS } from '../shared/time';
import { isZone, offsetMs } from './localTime';

/** Old names in the tz database that the runtime still lists, with the current names. */
const renamed: Record<string, string> = {
	'Africa/Asmera': 'Africa/Asmara',
	'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
	'America/Catamarca': 'America/Argentina/Catamarca',
	'America/Coral_Harbour': 'America/Atikokan',
	'America/Cordoba': 'America/Argentina/Cordoba',
	'America/Godthab': 'America/Nuuk',
	'America/Indianapolis': 'America/Indiana/Indianapolis',
	'America/Jujuy': 'America/Argentina/Jujuy',
	'America/Louisville': 'America/Kentucky/Louisville',
	'America/Mendoza': 'America/Argentina/Mendoza',
	'Asia/Calcutta': 'Asia/Kolkata',
	'Asia/Katmandu': 'Asia/Kathmandu',
	'Asia/Rangoon': 'Asia/Yangon',
	'Asia/Saigon': 'Asia/Ho_Chi_Minh',
	'Atlantic/Faeroe': 'Atlantic/Faroe',
	'Europe/Kiev': 'Europe/Kyiv',
	'Pacific/Enderbury': 'Pacific/Kanton',
	'Pacific/Ponape': 'Pacific/Pohnpei',
	'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * Lists the workflow's timezone, then all zones by name with their offset at `nowMs`. The list's search
 * reads the names, so a city of several words is also written with spaces.
 */
export function listTimezones(nowMs: number, workflowZone: string): INodePropertyOptions[] {
	const listed = Intl.supportedValuesOf('timeZone').map((zone) => renamed[zone] ?? zone);
	const zones = [...new Set([...listed.filter(isZone), 'UTC'])].sort();
	return [
		{ name: `Workflow's Timezone: ${workflowZone}`, value: '' },
		...zones.map((zone) => ({
			name: `${zone} (${[...splitCity(zone), offsetText(offsetMs(zone, nowMs))].join(', ')})`,
			value: zone,
		})),
	];
}

/** `New York` for `America/New_York`; empty if the zone's own name can be searched. */
function splitCity(zone: string): string[] {
	const city = zone.split('/').pop() ?? '';
	return city.includes('_') ? [city.replaceAll('_', ' ')] : [];
}

/** The function that n8n calls for the list of timezones. */
export async function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return listTimezones(Date.now(), this.getTimezone());
}

/** Formats an offset in milliseconds as `UTC+05:30`. */
function offsetText(ms: number): string {
	const minutes = Math.abs(ms) / MINUTE_MS;
	const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
	return `UTC${ms < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
