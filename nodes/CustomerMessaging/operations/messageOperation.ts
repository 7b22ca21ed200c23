import type { Fields } from '../fields/field';
import type { ScheduleWriter } from '../schedule/format';
import type { Platform } from '../shared/delivery';

/** The facts of one push, email or SMS operation (spec §2 and §4). */
export interface MessageOperation {
	resource: 'push' | 'email' | 'sms';
	value: string;
	name: string;
	action: string;
	description: string;
	/** The section of the specification that describes it. */
	section: string;
	/** The path of the request. With `<platform>`, there is one request for each chosen platform. */
	path: string;
	/** Whether the credential gives the path for web. */
	isWebPathOfAccount?: boolean;
	/** The fields that can identify the recipient; absent for broadcasts. */
	recipients?: Fields;
	/** Present for broadcasts only. */
	audience?: 'everyone' | 'segment';
	/** Whether it asks for an answer. It is then sent at once. */
	asks?: boolean;
	/** Whose sender the message has; absent without one. */
	sender?: 'email' | 'sms';
	required: Fields;
	optional: Fields;
	/** Maximum characters of fields, on some platforms only. */
	limits?: { on: readonly Platform[]; maxLength: Readonly<Record<string, number>> };
	/** Optional fields that are sent to one platform only. */
	onlyOn?: Readonly<Record<string, Platform>>;
	schedule: ScheduleWriter;
	/** Fields whose characters are counted in a preview. */
	counted: readonly string[];
}
