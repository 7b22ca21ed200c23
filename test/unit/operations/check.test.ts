import { resources } from '../../../nodes/CustomerMessaging/operations';
import type { CheckContext } from '../../../nodes/CustomerMessaging/operations/operation';
import { defaultScheduleFormat } from '../../../nodes/CustomerMessaging/schedule/scheduleFormat';
import * as order from '../../engine/support/orders';

const context: CheckContext = {
	nowMs: Date.parse('2027-03-04T15:06:07Z'),
	fieldOptions: {},
	workflowZone: 'Europe/Berlin',
	sendEmptyValues: false,
	format: defaultScheduleFormat,
	eventPath: '/api/v1/event/create',
	webBroadcastPath: '/api/v1/web/broadcast/all',
	segmentNames: new Map([['7', 'Newsletter']]),
};

function operationIn(parameters: Record<string, unknown>) {
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(({ value }) => value === parameters.operation);
	if (!operation) throw new Error('There is no such operation');
	return operation;
}

const rowWith = (parameters: Record<string, unknown>, index = 0) => ({
	index,
	parameters: { sendAt: 'now', ...parameters },
	json: {},
});

/** Checks a row as the operation in its parameters does. Nothing is sent. */
function check(parameters: Record<string, unknown>, index = 0) {
	return operationIn(parameters).check(rowWith(parameters, index), context);
}

function fieldsOf(parameters: Record<string, unknown>): string[] {
	const checked = check(parameters);
	return 'problems' in checked ? checked.problems.map(({ field }) => field) : [];
}

describe('All that is wrong with a row is named at once', () => {
	it.each([
		[
			'a push',
			{
				...order.pushSend,
				platforms: [],
				user_id: '',
				title: null,
				url: 'x',
				sendAt: 'later',
				additionalFields: { image_url: 'http://a.example' },
			},
			['platforms', 'user_id', 'title', 'url', 'image_url', 'sendAt'],
		],
		[
			'an email',
			{
				...order.emailSend,
				email: 'x',
				serviceproviderID: 0,
				sendAt: 'at',
				additionalFields: { reply_to: 'x', dnd: 'x' },
			},
			['email', 'serviceproviderID', 'reply_to', 'dnd', 'scheduledFor'],
		],
		[
			'an SMS',
			{ ...order.smsToAll, segment_id: -1, sender_mobile: '1', message: '' },
			['segment_id', 'sender_mobile', 'message'],
		],
		[
			'a user',
			{ ...order.createUser, userID: '', email: 'x', additionalFields: { extraBodyFields: '[]' } },
			['userID', 'email', 'extraBodyFields'],
		],
		[
			'an event',
			{
				...order.trackEvent,
				userID: '',
				event_name: '',
				event_time: 'soon',
				attributes: { assignments: [{ name: '', value: 1, type: 'number' }] },
				additionalFields: { ltv: 'x', extraEventFields: '[]' },
			},
			['userID', 'event_name', 'event_time', 'attributes', 'ltv', 'extraEventFields'],
		],
		['a custom request', { ...order.customPost, path: 'x', body: 'x' }, ['path', 'body']],
	])('%s', (_, parameters, fields) => {
		expect(fieldsOf(parameters).sort()).toEqual([...fields].sort());
	});

	it('including both lengths of a notification', () => {
		const tooLong = { title: 'x'.repeat(71), message: 'x'.repeat(131) };
		expect(fieldsOf({ ...order.pushSend, ...tooLong, platforms: ['web', 'ios'] })).toEqual([
			'title',
			'message',
		]);
		expect(fieldsOf({ ...order.pushSend, ...tooLong, platforms: ['web'] })).toEqual([]);
	});
});

describe('The platforms of a push', () => {
	const platformsOf = (platforms: unknown) => {
		const checked = check({ ...order.pushSend, platforms });
		return 'problems' in checked
			? checked.problems.map(({ message }) => message)
			: checked.deliveries.map(({ platform }) => platform);
	};

	it('may be one text from an expression, and count once if they are repeated', () => {
		expect(platformsOf('ios')).toEqual(['ios']);
		expect(platformsOf(['web', 'ios', 'web'])).toEqual(['web', 'ios']);
	});

	it.each([[null], [undefined], [[]]])('must be chosen, which %j is not', (platforms) => {
		expect(platformsOf(platforms)).toEqual(['Platforms is empty. Choose at least one']);
	});

	it('are listed if one is unknown', () => {
		const message =
			"Platforms cannot be 'windows'. Choose Android, iOS or Web. In an expression, write android, ios or web";
		expect(platformsOf('windows')).toEqual([message]);
		expect(platformsOf(['web', 'windows'])).toEqual([message]);
	});
});

describe('Extra Body Fields of a custom request', () => {
	const bodyOf = (body: string) => {
		const checked = check({
			...order.customPost,
			body,
			additionalFields: { extraBodyFields: '{ "source": "crm" }' },
		});
		return 'problems' in checked
			? checked.problems
			: checked.deliveries.map((one) => one.buildBody());
	};

	it('are added to an object', () => {
		expect(bodyOf('{ "event": "signed_up" }')).toEqual([{ event: 'signed_up', source: 'crm' }]);
	});

	it('are refused beside a list, because the list would be lost', () => {
		expect(bodyOf('[{ "event": "signed_up" }]')).toEqual([
			{
				field: 'extraBodyFields',
				message:
					"Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty",
			},
		]);
	});
});

describe('Whom a broadcast reaches', () => {
	it.each<[string, Record<string, unknown>, string | undefined]>([
		['one person', order.pushSend, undefined],
		['everyone', order.pushToAll, 'everyone'],
		['a segment', order.pushToSegment, 'segment 42'],
		[
			'everyone by email',
			{ ...order.emailToAll, additionalFields: { segment_id: 7 } },
			'everyone, with segment Newsletter (ID 7)',
		],
		['a segment by SMS', order.smsBroadcast, 'segment 42'],
		[
			'a segment with a name in the credential',
			{ ...order.pushToSegment, segment_id: { __rl: true, mode: 'id', value: ' 7 ' } },
			'segment Newsletter (ID 7)',
		],
		['everyone by SMS', order.smsToAll, 'everyone, with segment 42'],
	])('%s', (_, parameters, audience) => {
		const checked = check(parameters);
		expect('deliveries' in checked && checked.deliveries.map((one) => one.audience)).toEqual([
			audience,
		]);
	});
});

it('A delivery knows its row', () => {
	const checked = check({ ...order.pushSend, platforms: ['ios', 'web'] }, 17);
	expect(
		'deliveries' in checked &&
			checked.deliveries.map(({ itemIndex, platform }) => [itemIndex, platform]),
	).toEqual([
		[17, 'ios'],
		[17, 'web'],
	]);
});

describe('The body of a checked message', () => {
	it.each<[string, Record<string, unknown>]>([
		['a push', { ...order.pushSend, additionalFields: { android_id: 'a', ios_ifv: 'i' } }],
		['an email', { ...order.emailSend, additionalFields: { extraBodyFields: '{"x":1}' } }],
		['an SMS', order.smsToAll],
	])('is the same when it is built again: %s', (_, parameters) => {
		const all = { ...parameters, platforms: ['web', 'android', 'ios'] };
		const checked = check(all, 3);
		if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
		expect(checked.deliveries.length).toBeGreaterThan(0);
		for (const { platform, buildBody } of checked.deliveries) {
			const again = operationIn(all).buildBody?.(rowWith(all, 3), context, platform);
			expect(again).toEqual(buildBody());
		}
	});

	it('is not built of a row that can no longer be sent', () => {
		const changed = { ...order.emailSend, content: '' };
		expect(() => operationIn(changed).buildBody?.(rowWith(changed, 3), context)).toThrow(
			'Item 3 has changed since it was checked',
		);
	});
});
