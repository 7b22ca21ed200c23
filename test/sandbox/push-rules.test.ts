import { Routes } from '../../sandbox/routes';

const routes = new Routes(() => new Set());
const forAll = { title: 'Hello', message: 'There', url: 'https://x.example' };
const forUser = { ...forAll, user_id: 'u1' };
const forSegment = { ...forAll, segment_id: 3 };

function problems(path: string, body: unknown) {
	return routes.find(`/api/v1/${path}`)?.operation(body).problems(body);
}

describe.each(['web', 'android', 'ios'])('%s', (platform) => {
	it.each(['title', 'message', 'url'])('requires %s', (key) => {
		for (const [operation, body] of [
			['send', forUser],
			['broadcast/all', forAll],
			['broadcast/segment', forSegment],
		] as const) {
			const missing = { path: key, rule: 'is required' };
			expect(problems(`${platform}/${operation}`, body)).toEqual([]);
			expect(problems(`${platform}/${operation}`, { ...body, [key]: undefined })).toContainEqual({
				path: key,
				rule: 'must be a string',
			});
			expect(problems(`${platform}/${operation}`, { ...body, [key]: '' })).toEqual([missing]);
			expect(
				problems(
					`${platform}/${operation}`,
					Object.fromEntries(Object.entries(body).filter(([name]) => name !== key)),
				),
			).toEqual([missing]);
		}
	});

	it('requires a recipient to send to one user', () => {
		const missing = [{ path: 'user_id / subscription_id', rule: 'one of these is required' }];
		expect(problems(`${platform}/send`, forAll)).toEqual(missing);
		expect(problems(`${platform}/send`, { ...forAll, user_id: '' })).toEqual(missing);
		expect(problems(`${platform}/send`, { ...forAll, subscription_id: 's1' })).toEqual([]);
	});

	it('requires a segment to send to one', () => {
		expect(problems(`${platform}/broadcast/segment`, forAll)).toEqual([
			{ path: 'segment_id', rule: 'is required' },
		]);
	});

	it.each([
		'user_id',
		'subscription_id',
		'tag',
		'title',
		'message',
		'url',
		'button_one_title',
		'button_two_title',
		'button_two_url',
		'schedule_date',
		'schedule_time',
		'time_zone',
	])('accepts only a string as %s', (key) => {
		for (const wrong of [1, true, null, {}, ['a']]) {
			expect(problems(`${platform}/send`, { ...forUser, [key]: wrong })).toEqual([
				{ path: key, rule: 'must be a string' },
			]);
		}
		expect(problems(`${platform}/send`, { ...forUser, [key]: 'text' })).toEqual([]);
	});

	it.each(['notification_id', 'segment_id'])('accepts only an int64 as %s', (key) => {
		for (const wrong of ['1', 1.5, true, null, 2 ** 64, -(2 ** 64), [1]]) {
			expect(problems(`${platform}/send`, { ...forUser, [key]: wrong })).toEqual([
				{ path: key, rule: 'must be an integer' },
			]);
		}
		for (const right of [0, 7, -7, Number.MAX_SAFE_INTEGER, -(2 ** 63)]) {
			expect(problems(`${platform}/send`, { ...forUser, [key]: right })).toEqual([]);
		}
	});

	it.each(['image_url', 'hero_image_url'])('accepts only an HTTPS URL as %s', (key) => {
		for (const wrong of ['http://x.example/a.png', '//x.example/a', 'a.png', '', 'https://']) {
			expect(problems(`${platform}/send`, { ...forUser, [key]: wrong })).toEqual([
				{ path: key, rule: 'must be an HTTPS URL' },
			]);
		}
		expect(problems(`${platform}/send`, { ...forUser, [key]: 5 })).toEqual([
			{ path: key, rule: 'must be a string' },
		]);
		for (const right of ['https://x.example/a.png', 'HTTPS://x.example/a.png?b=c']) {
			expect(problems(`${platform}/send`, { ...forUser, [key]: right })).toEqual([]);
		}
	});

	it('accepts seconds as a number or as digits', () => {
		for (const right of [0, 90, '90']) {
			expect(problems(`${platform}/send`, { ...forUser, time: right })).toEqual([]);
		}
		for (const wrong of [-1, 1.5, '1.5', 'soon', '', null, true]) {
			expect(problems(`${platform}/send`, { ...forUser, time: wrong })).toEqual([
				{ path: 'time', rule: 'must be a number of seconds' },
			]);
		}
	});

	it('accepts unknown keys', () => {
		const extra = { brand_new: { a: [1] }, constructor: 1, service_provider: 'x' };
		expect(problems(`${platform}/send`, { ...forUser, ...extra })).toEqual([]);
	});

	it('accepts only an object', () => {
		for (const wrong of [[], [forUser], 'text', 5, null]) {
			expect(problems(`${platform}/send`, wrong)).toEqual([
				{ path: '', rule: 'must be a JSON object' },
			]);
		}
	});
});

const family = '👨‍👩‍👧‍👦';
const accented = 'e\u0301';

describe.each([
	['title', 70],
	['message', 130],
])('Length of the %s', (key, max) => {
	it.each(['android', 'ios'])(
		`is at most ${max} characters as a reader counts them on %s`,
		(os) => {
			for (const character of ['a', family, accented, '日', '🇩🇪']) {
				const fits = { ...forUser, [key]: character.repeat(max) };
				const over = { ...forUser, [key]: character.repeat(max + 1) };
				expect(problems(`${os}/send`, fits)).toEqual([]);
				expect(problems(`${os}/send`, over)).toEqual([
					{ path: key, rule: `must be at most ${max} characters` },
				]);
			}
		},
	);

	it('has no known maximum length on web', () => {
		expect(problems('web/send', { ...forUser, [key]: 'a'.repeat(5_000) })).toEqual([]);
	});
});

describe('Fields of one platform', () => {
	it.each([
		['android', { android_id: 'd1' }, []],
		['ios', { ios_ifv: 'd1' }, []],
		['android', { android_id: 1 }, [{ path: 'android_id', rule: 'must be a string' }]],
		['ios', { ios_ifv: 1 }, [{ path: 'ios_ifv', rule: 'must be a string' }]],
		['ios', { android_id: 'd1' }, [{ path: 'android_id', rule: 'is for Android only' }]],
		['web', { android_id: 'd1' }, [{ path: 'android_id', rule: 'is for Android only' }]],
		['android', { ios_ifv: 'd1' }, [{ path: 'ios_ifv', rule: 'is for iOS only' }]],
		['web', { ios_ifv: 'd1' }, [{ path: 'ios_ifv', rule: 'is for iOS only' }]],
	])('on %s: %j', (platform, field, expected) => {
		for (const [operation, body] of [
			['send', forUser],
			['broadcast/all', forAll],
			['broadcast/segment', forSegment],
		] as const) {
			expect(problems(`${platform}/${operation}`, { ...body, ...field })).toEqual(expected);
		}
	});
});

it('The sandbox reports every problem at once', () => {
	expect(problems('ios/send', { title: 5, android_id: 'd1', image_url: 'x' })).toEqual([
		{ path: 'message', rule: 'is required' },
		{ path: 'url', rule: 'is required' },
		{ path: 'user_id / subscription_id', rule: 'one of these is required' },
		{ path: 'title', rule: 'must be a string' },
		{ path: 'android_id', rule: 'is for Android only' },
		{ path: 'image_url', rule: 'must be an HTTPS URL' },
	]);
});
