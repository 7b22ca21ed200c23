import { z } from 'zod/v3';

import { readAssignments, toObject, unsendableAttributes } from '../fields/attributes';
import { optional, collectProblems } from '../fields/field';
import { readEventTime } from '../schedule/eventTime';
import { eventTime } from '../schedule/format';
import { defaultPaths } from '../shared/apis';
import { inColumn, isMapped, type Mapped, readMapped } from './dataMode';
import { event_name, eventAttributes, eventForm, extraEventFields, ltv } from './eventForm';
import { clashesWith, extraBodyFields } from './extra';
import type { Operation, Resource, Row } from './operation';
import { userID } from './userForm';

/**
 * The reference names event tracking, and shows neither its path nor its fields (spec §4.1, §6). An
 * event that is tracked twice starts journeys twice, so it must not be repeated.
 */
const track: Operation = {
	value: 'track',
	name: 'Track',
	action: 'Track event',
	description: 'Track events of users, many in one request',
	section: '6',
	path: defaultPaths.eventPath,
	isPathOfAccount: true,
	fields: {
		required: { event_name, userID },
		optional: { ltv, extraEventFields, extraBodyFields },
	},
	form: eventForm,
	batchKey: 'nv',
	maxBatchSize: 1_000,
	schedule: eventTime,
	check({ index, parameters, json }, { workflowZone, eventPath, placeholderIn, fieldOptions }) {
		const { id, attributes, problems, ...mapped } = isMapped(parameters)
			? readMapped(parameters, json, false)
			: readDefined(parameters);
		const { event_time, scheduleTimezone } = parameters;
		const time = readEventTime(event_time, scheduleTimezone, workflowZone, placeholderIn);
		const read = schema.safeParse({
			required: { event_name: parameters.event_name, userID: id },
			additionalFields: parameters.additionalFields,
		});
		problems.push(
			...collectProblems(read.error?.issues ?? []).map((found) => inColumn(found, mapped)),
		);
		problems.push(...unsendableAttributes(attributes, fieldOptions));
		if ('problems' in time) problems.push(...time.problems);
		if (!read.data) return { problems };

		const { required, additionalFields } = read.data;
		const body = {
			...required,
			ltv: additionalFields.ltv,
			attributes: attributes.length > 0 ? toObject(attributes) : undefined,
		};
		const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
		problems.push(
			...clashesWith(
				additionalFields.extraEventFields,
				{ ...set, event_time: '' },
				{ field: 'extraEventFields', label: extraEventFields.form.displayName },
			),
			...clashesWith(additionalFields.extraBodyFields, { nv: [] }),
		);
		if ('problems' in time || problems.length > 0) return { problems };
		const whole = { ...set, ...additionalFields.extraEventFields };
		return {
			deliveries: [
				{
					itemIndex: index,
					userID: required.userID,
					path: eventPath,
					buildBody: () => whole,
					envelope: additionalFields.extraBodyFields,
					schedule: time.schedule,
				},
			],
		};
	},
};

export const event: Resource = {
	value: 'event',
	name: 'Event',
	target: { host: 'baseUrl', api: 'event' },
	operations: [track],
};

const schema = z.object({
	required: z.object({ userID: userID.schema, event_name: event_name.schema }),
	additionalFields: optional({ ltv, extraEventFields, extraBodyFields }, 'Additional Fields'),
});

/** `defineBelow`: each value comes from its own field. */
function readDefined({ userID: id, attributes }: Row['parameters']): Mapped {
	return { idField: 'userID', id, ...readAssignments(eventAttributes, attributes, false) };
}
