import { Routes } from '../../sandbox/routes';
import { extraBody, full, minimal } from '../engine/support/endpoints';
import { email, sms, webPush } from './support/calls';

const routes = new Routes(() => new Set(['u13']));

/** What the service would refuse in a body: place and rule. */
function problems(path: string, body: unknown): string[] | undefined {
	return routes
		.find(`/api/v1/${path}`)
		?.operation(body)
		.problems(body)
		.map(({ path: at, rule }) => `${at} ${rule}`);
}

// What fits at each path arrives in the tests of the service.
const ann = { userID: 'u1', user_attributes: { name: 'Ann' } };
const placed = { userID: 'u1', event_name: 'Order Placed' };
const { user_id: _, ...broadcast } = webPush;
const mail = { ...email, email: 'a@x.example' };
const text = { ...sms, mobile: '+49111' };

const nv = (...list: unknown[]) => ({ nv: list });
const push = (own: object) => ({ ...webPush, ...own });
const inMail = (own: object) => ({ ...mail, ...own });
const ofMail = 'email / mobile / user_id / campaign_id one of these is required';
const ofSms = 'mobile / user_id / campaign_id one of these is required';
const ofBoth = 'sender_email / sender_mobile exactly one of these is required';
const noEmail = { ...ann, user_attributes: { email: null } };
const longName = { ...placed, event_name: 'x'.repeat(50) };
const renamed = 'service provider_id';
const tooMany = nv(...Array<unknown>(1_001).fill(placed));

it.each<[string, unknown, string[]]>([
	['user/create', [ann], [' must be a JSON object']],
	['user/create', { nv: ann }, ['nv must be an array']],
	['user/create', nv(), ['nv must not be empty']],
	['user/create', nv({ userID: 5 }), ['nv[0].userID must be a string']],
	['user/create', nv(noEmail), ['nv[0].user_attributes.email must be a string']],
	['user/create', nv(ann, { userID: 'u13' }), ['nv[1].userID is refused by the service']],
	['event/create', tooMany, ['nv must have at most 1,000 elements']],
	['event/create', nv({}), ['nv[0].userID is required', 'nv[0].event_name is required']],
	['event/create', nv(longName), ['nv[0].event_name must be at most 49 characters']],
	['event/create', nv({ ...placed, ltv: '3' }), ['nv[0].ltv must be a number']],
	['web/send', broadcast, ['user_id / subscription_id one of these is required']],
	['ios/send', push({ title: 'a'.repeat(71) }), ['title must be at most 70 characters']],
	['ios/send', push({ title: '👨‍👩‍👧‍👦'.repeat(70) }), []],
	['web/send', push({ title: 'a'.repeat(71) }), []],
	['android/send', push({ ios_ifv: 'd1' }), ['ios_ifv is for iOS only']],
	['web/send', push({ image_url: 'http://x.example/a' }), ['image_url must be an HTTPS URL']],
	['web/send', push({ time: 'soon' }), ['time must be a number of seconds']],
	['web/send', push({ notification_id: 2 ** 64 }), ['notification_id must be an integer']],
	['sendMessage', email, [ofMail]],
	['sendMessage', { ...sms, email: 'a@x.example' }, [ofSms]],
	['sendMessage', { ...email, ...text }, [ofBoth]],
	['sendMessage', inMail({ schedule_date: '20261121' }), ['schedule_date must be an integer']],
	['sendMessage', inMail({ [renamed]: 7 }), [`${renamed} is called serviceproviderID`]],
])('The sandbox answers what is wrong at %s with %j', (path, body, wrong) => {
	expect(problems(path, body)).toEqual(wrong);
});

// Otherwise the sandbox would take any value of a new field.
it.each(full.filter(({ host }) => host !== 'base'))(
	'The sandbox checks each field of $name',
	({ name: of, path, body }) => {
		const least = minimal.find(({ name }) => name === of)?.body ?? {};
		const said = (sent: object) => problems(path.replace('/api/v1/', ''), sent)?.join();
		for (const key of Object.keys(least)) {
			const without = Object.entries(least).filter(([name]) => name !== key);
			const required = new RegExp(`\\b${key}\\b.* required`);
			expect(said(Object.fromEntries(without))).toMatch(required);
		}
		for (const key of Object.keys(body).filter((one) => !(one in extraBody)))
			expect(said({ ...body, [key]: {} })).toMatch(new RegExp(`\\b${key} must`));
	},
);
