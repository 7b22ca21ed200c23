import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Arrival } from '../../../sandbox';
import type { Output } from './engine';
import { createUser, pushSend } from './orders';

/** One push to each row's `id`. */
export const push = (options: INodeParameters = {}, platforms = ['web']): INodeParameters => {
	return { ...pushSend, platforms, user_id: '={{ $json.id }}', options };
};

/** One user for each row, with all columns of the row. */
export const createUsers = (options: INodeParameters = {}): INodeParameters => {
	return { ...createUser, dataMode: 'autoMapInputData', userIdField: 'id', options };
};

/** Rows whose IDs have the same length, so that none is part of another. */
export const rowsOf = (count: number, prefix = 'u') =>
	Array.from({ length: count }, (_, row) => ({ id: idOf(row, prefix) }));
export const idOf = (row: number, prefix = 'u') => `${prefix}${String(row).padStart(6, '0')}`;

/** What both outputs together say of each item. */
export function toldBy({ output, failed }: Pick<Output, 'output' | 'failed'>) {
	const told = [...output, ...failed].map(({ json, pairedItem }) => {
		const details = (json.details ?? json) as IDataObject;
		const { outcome, platform } = details as { outcome: string; platform?: string };
		const { item } = pairedItem as { item: number };
		return { item, outcome, platform, details };
	});
	return told.sort((one, other) => one.item - other.item);
}

export function countsOf(list: ReadonlyArray<{ outcome: string }>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome } of list) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

export function arrivalsByPush(record: readonly Arrival[]): Map<string, Arrival[]> {
	const byPush = new Map<string, Arrival[]>();
	for (const arrival of record) {
		const { user_id: user } = arrival.body as { user_id: string };
		const key = `${arrival.platform} ${user}`;
		byPush.set(key, [...(byPush.get(key) ?? []), arrival]);
	}
	return byPush;
}

export function creations(record: readonly Arrival[]): Map<string, number> {
	const times = new Map<string, number>();
	for (const { body } of record.filter(({ accepted }) => accepted))
		for (const { userID } of (body as { nv: Array<{ userID: string }> }).nv)
			times.set(userID, (times.get(userID) ?? 0) + 1);
	return times;
}

/** The items that the message of a stopped run of several items lists under a heading such as `Not sent`. */
export function listedAs(heading: string, error: Output['error']): number[] {
	const description = String((error as { description?: unknown } | undefined)?.description);
	const line = description.split('\n').find((one) => one.startsWith(`${heading}: `)) ?? '';
	const [, ranges = ''] = /, items? (.*)$/.exec(line) ?? [];
	return ranges.split(/; items? |, /).flatMap((range) => {
		const [, from, to = from] = /^(\d+)(?:–(\d+))?/.exec(range) ?? [];
		if (from === undefined) return [];
		return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step);
	});
}
