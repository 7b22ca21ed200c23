import type { IDataObject } from 'n8n-workflow';

import type { Fields, FormParameter } from '../fields/field';
import type { Problem } from '../shared/problem';
import type { ScheduleWriter } from '../schedule/format';
import type { ScheduleFormat } from '../schedule/scheduleFormat';
import type { Api } from '../shared/apis';
import type { Delivery } from '../shared/delivery';

/** The hosts of spec §1, by the credential's name for them. */
export type Host = 'baseUrl' | 'pushUrl' | 'mailUrl';

/** What the credential calls them. */
export const hostNames: Readonly<Record<Host, string>> = {
	baseUrl: 'User and Event Address',
	pushUrl: 'Push Address',
	mailUrl: 'Email and SMS Address',
};

/** One input item with the node's parameters as they read for it. */
export interface Row {
	index: number;
	parameters: Readonly<Record<string, unknown>>;
	json: IDataObject;
}

export type Checked = { deliveries: Delivery[] } | { problems: Problem[] };

/** What checking a row may depend on beside the row itself. */
export interface CheckContext {
	/** Epoch milliseconds. */
	nowMs: number;
	/** IANA zone of the workflow. */
	workflowZone: string;
	format: ScheduleFormat;
}

/** One entry of the Operation list: what it asks for, what it refuses, and what it sends (spec §4). */
export interface Operation {
	/** The value under the parameter `operation`. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Where the service's reference describes it. */
	section: string;
	/** As the reference writes it, `<platform>` included; absent where the user gives it. */
	path?: string;
	/** The fields of its body that have a form field of their own. */
	fields: { required: Fields; recipients?: Fields; optional: Fields };
	/** Whether it reaches many people, so that the guards apply. */
	isBroadcast?: boolean;
	form: FormParameter[];
	/** What is wrong with a row, or what it asks to deliver. Nothing is sent here. */
	check(row: Row, context: CheckContext): Checked;
	/** What a preview tells of a delivery beside its request, such as lengths against the limits. */
	measure?(delivery: Delivery): object;
	/** How its body says when it is to be sent; absent where it cannot be scheduled. */
	schedule?: ScheduleWriter;
	/** The key under which many deliveries travel in one request. */
	batchKey?: string;
}

export function hasPlatforms({ path }: Pick<Operation, 'path'>): boolean {
	return path?.includes('<platform>') === true;
}

/** One entry of the Resource list. */
export interface Resource {
	value: string;
	name: string;
	/** Where requests go and which limit they count against; absent where the user chooses. */
	target?: { host: Host; api: Api };
	operations: readonly Operation[];
}
