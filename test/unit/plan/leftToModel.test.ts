import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { leftToModel } from '../../../nodes/CustomerMessaging/run/modelAccess';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { runParameters } from '../../../nodes/CustomerMessaging/run/runParameters';
import { guardForm } from '../../../nodes/CustomerMessaging/run/guards';
import { optionsForm } from '../../../nodes/CustomerMessaging/run/options';

const fromModel = "={{ $fromAI('anything', '', 'json') }}";

/** The names of the parameters that are refused if the workflow contains these. */
function refused(
	parameters: Record<string, unknown>,
	form = formOf('push', 'broadcastSegment'),
): string[] {
	return leftToModel(form, (name) => parameters[name] ?? null).map(({ field }) => field);
}

function formOf(resource: string, operation: string): FormParameter[] {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (!found) throw new Error(`No such operation: ${resource} ${operation}`);
	return [...runParameters, ...found.form, ...guardForm, optionsForm];
}

/** Typed by hand: everything that a model may fill in, of all operations. */
const fillable = new Set([
	...[
		'recipientBy',
		'user_id',
		'subscription_id',
		'email',
		'mobile',
		'userID',
		'name',
		'customAttributes',
	],
	...[
		'title',
		'message',
		'url',
		'image_url',
		'hero_image_url',
		'button_one_title',
		'button_two_title',
	],
	...['button_two_url', 'notification_id', 'android_id', 'ios_ifv'],
	...['sender_name', 'sender_email', 'sender_mobile', 'subject', 'campaign_name', 'content'],
	...[
		'serviceproviderID',
		'reply_to',
		'track_open',
		'track_click',
		'track_reply',
		'frequency_capping',
		'dnd',
	],
	...['event_name', 'attributes', 'event_time', 'ltv'],
	...['sendAt', 'time', 'scheduledFor', 'nextTime', 'nextDays', 'scheduleTimezone'],
]);

const operations = resources.flatMap(({ value, operations: ofResource }) =>
	ofResource.map((operation) => [value, operation.value] as const),
);

describe.each(operations)('The parameters of %s: %s', (resource, operation) => {
	const form = formOf(resource, operation);
	const names = form.flatMap(({ name, type, options }): Array<{ name: string; option?: string }> =>
		type === 'collection'
			? (options as FormParameter[]).map((option) => ({ name, option: option.name }))
			: [{ name }],
	);

	it.each(names)(
		'are left to a model where that is harmless: $name $option',
		({ name, option }) => {
			const parameters = { [name]: option ? { [option]: fromModel } : fromModel };
			const isFillable =
				fillable.has(option ?? name) ||
				(name === 'platforms' && resource === 'push' && operation === 'send');
			expect(refused(parameters, form)).toEqual(isFillable ? [] : [option ?? name]);
		},
	);
});

describe('A parameter that is left to a model', () => {
	it.each([
		['a whole collection', { additionalFields: fromModel }, ['additionalFields']],
		['all options', { options: fromModel }, ['options']],
		[
			'an option that does not exist',
			{ additionalFields: { unheardOf: fromModel } },
			['unheardOf'],
		],
		['a list that holds it', { platforms: ['web', fromModel] }, ['platforms']],
		['another spelling', { segment_id: "={{ $fromai('x') }}" }, ['segment_id']],
		['an escaped letter', { segment_id: '={{ $from\\u0041I("x") }}' }, ['segment_id']],
		[
			'the locator of a segment',
			{ segment_id: { __rl: true, mode: 'id', value: fromModel } },
			['segment_id'],
		],
		[
			'the name of a segment',
			{ segment_id: { __rl: true, mode: 'list', value: '42', cachedResultName: fromModel } },
			['segment_id'],
		],
		[
			'a marker of the editor before it',
			{ segment_id: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('x') }}` },
			['segment_id'],
		],
	])('is found in %s', (_, parameters, fields) => {
		expect(refused(parameters)).toEqual(fields);
	});

	it('is not recognized where n8n reads no expression', () => {
		expect(
			refused({ segment_id: 42, additionalFields: { tag: 'about $fromAI' }, options: {} }),
		).toEqual([]);
	});
});
