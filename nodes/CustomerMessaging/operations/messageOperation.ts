import type { Fields } from '../fields/field';
import type { ScheduleWriter } from '../schedule/format';
import type { Platform } from '../shared/delivery';

/** What one push, email or SMS operation is made of: each fact of spec §2 and §4 once. */
export interface MessageOperation {
	resource: 'push' | 'email' | 'sms';
	value: string;
	name: string;
	action: string;
	description: string;
	section: string;
	/** Where it goes; with `<platform>`, one request for each of those chosen. */
	path: string;
	/** The ways to name one recipient; absent where many are reached. */
	recipients?: Fields;
	audience?: 'everyone' | 'segment';
	required: Fields;
	optional: Fields;
	/** Most characters of a field on some platforms. */
	limits?: { on: readonly Platform[]; maxLength: Readonly<Record<string, number>> };
	/** Optional fields that belong to one platform. */
	onlyOn?: Readonly<Record<string, Platform>>;
	schedule: ScheduleWriter;
	/** Fields whose characters a preview counts. */
	counted: readonly string[];
}
