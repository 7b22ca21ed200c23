import { tell } from '../../../nodes/CustomerMessaging/shared/formatting';
import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { guardForm } from '../../../nodes/CustomerMessaging/run/guards';
import { leftToModel } from '../../../nodes/CustomerMessaging/run/leftToModel';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { runParameters } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { optionsForm } from '../../../nodes/CustomerMessaging/run/options';

const ofPush = 'title message url';
const ofEmail = 'subject campaign_name content emailType';
const ofSms = 'campaign_name message';
const when = 'sendAt scheduledFor nextTime nextDays hoursFrom hoursTo scheduleTimezone';
const looks =
	'notification_id image_url hero_image_url button_one_title button_two_title button_two_url';

/** What a model may fill in, of the form and of the additional fields (those of spec §2, typed by hand). */
const fillable: Record<string, string> = {
	'user create': 'userID name email mobile customAttributes',
	'event track': 'event_name userID attributes event_time scheduleTimezone ltv',
	'push send': `${ofPush} ${when} time platforms recipientBy user_id subscription_id ${looks}`,
	// A model must not choose who approves what it wants to do.
	'push sendAndWait': 'title message',
	'push broadcastAll': `${ofPush} ${when} time ${looks}`,
	'push broadcastSegment': `${ofPush} ${when} time ${looks}`,
	// Email and SMS can also be addressed to a campaign, so there a model does not choose by what.
	'email send': `${ofEmail} ${when} email mobile user_id`,
	'email sendAndWait': 'subject campaign_name message',
	'email broadcast': `${ofEmail} ${when}`,
	'email broadcastAll': `${ofEmail} ${when}`,
	'email broadcastSegment': `${ofEmail} ${when}`,
	'sms send': `${ofSms} ${when} mobile user_id`,
	'sms sendAndWait': ofSms,
	'sms broadcast': `${ofSms} ${when}`,
	'sms broadcastAll': `${ofSms} ${when}`,
	'sms broadcastSegment': `${ofSms} ${when}`,
	'customRequest post': '',
};

const fromModel = "={{ $fromAI('anything', '', 'json') }}";

const forms = new Map(
	resources.flatMap(({ value, operations }) =>
		operations.map(({ value: operation, form }): [string, FormParameter[]] => [
			`${value} ${operation}`,
			[...runParameters, ...form, ...guardForm, optionsForm],
		]),
	),
);
const optionsOf = ({ type, options }: FormParameter) =>
	type === 'collection' ? (options as FormParameter[]) : undefined;

/** What is refused if the workflow contains these parameters. The model fills in one word. */
function refused(parameters: Record<string, unknown>, operation: string) {
	const raw = (name: string) => parameters[name] ?? null;
	const stored = { raw, read: () => 'word', isTool: true, isReview: false };
	return leftToModel(forms.get(operation) ?? [], stored);
}

test.each([...forms])('Of %s, a model fills in what it may', (operation, form) => {
	const mayFill: string[] = fillable[operation]?.match(/\w+/g) ?? [];
	const places = form.flatMap(
		(parameter): Array<[name: string, option?: string]> =>
			optionsOf(parameter)?.map((option) => [parameter.name, option.name]) ?? [[parameter.name]],
	);
	expect(places.length).toBeGreaterThan(20);
	expect(mayFill.filter((name) => !places.flat().includes(name))).toEqual([]);
	for (const [name, option] of places) {
		const refusedWith = (value: unknown) =>
			refused({ [name]: option ? { [option]: value } : value }, operation).map(
				({ field }) => field,
			);
		const nested = (value: string) => [value, ['a', value], { values: { a: { b: value } } }];
		const refusal = mayFill.includes(option ?? name) ? [] : [option ?? name];
		for (const value of nested(fromModel))
			expect([name, option, ...refusedWith(value)]).toEqual([name, option, ...refusal]);
		for (const value of nested('=Hello {{ $json.x }}'))
			expect([name, ...refusedWith(value)]).toEqual([name, option ?? name]);
		for (const value of nested("={{ $('Edit Fields').first().json.x }}"))
			expect([name, ...refusedWith(value)]).toEqual([name]);
	}
});

test('The refusal says why a field is not left to a model', () => {
	const parameters = { sender_name: fromModel, additionalFields: { email_cc: fromModel } };
	expect(refused(parameters, 'email send').map((problem) => tell(problem))).toEqual([
		"'Sender Name' is left to the model, but only a person may set it. Set it to a fixed value",
		"'CC Email' is left to the model, but it decides whom a message reaches. Set it to a fixed value",
	]);
});
