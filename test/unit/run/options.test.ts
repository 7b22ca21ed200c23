import { readSettings } from '../../../nodes/CustomerMessaging/run/options';

const messagesOf = (...given: Parameters<typeof readSettings>) => {
	const read = readSettings(...given);
	return 'problems' in read
		? read.problems.map(({ field, message }) => `${field}: ${message}`)
		: [];
};

/** Typed by hand from the reference of the node. */
const defaults = {
	batchSize: 100,
	extraFieldsInTests: false,
	fieldOptions: { skipTextCheck: false },
	includeInputFields: false,
	includeRequest: false,
	maxBodyBytes: 1_000_000,
	maxBroadcasts: 1,
	maxWaitMs: 3_600_000,
	previewOnly: false,
	requestTimeoutMs: 30_000,
	retryUnknown: false,
	sendEmptyValues: false,
	sendOnce: false,
	sendOncePeriod: 'ever',
	testRuns: undefined,
};

test.each([{}, { options: {} }, { testRuns: null, maxBroadcasts: null, sendOnce: null }])(
	'Options that are not set have their defaults: %j',
	(parameters) => {
		expect(readSettings(parameters)).toMatchObject({ settings: defaults });
	},
);

test('Options that are set are used, in bytes and milliseconds', () => {
	const options = {
		batchSize: 7,
		concurrency: 3,
		defaultCountry: 'DE',
		maxBodySize: 2,
		maxWait: 0.5,
		previewOnly: true,
		requestTimeout: 5,
		retryUnknown: true,
		skipTextCheck: true,
	};
	const parameters = { options, testRuns: 'send', maxBroadcasts: 4, sendOnce: true };
	expect(readSettings({ ...parameters, sendOncePeriod: 'day' })).toMatchObject({
		settings: {
			...defaults,
			batchSize: 7,
			concurrency: 3,
			fieldOptions: { defaultCountry: 'DE', skipTextCheck: true },
			maxBodyBytes: 2_000,
			maxWaitMs: 30_000,
			previewOnly: true,
			requestTimeoutMs: 5_000,
			retryUnknown: true,
			testRuns: 'send',
			maxBroadcasts: 4,
			sendOnce: true,
			sendOncePeriod: 'day',
		},
	});
});

test.each([{ overwrites: true }, { waits: true }] as const)(
	'Send Once has no effect where it is not offered: %j',
	(operation) => {
		expect(readSettings({ sendOnce: true }, operation)).toMatchObject({
			settings: { sendOnce: false },
		});
	},
);

test('A batch may be as large as one request of the operation takes, and no larger', () => {
	const operation = { maxBatchSize: 100 } as Parameters<typeof readSettings>[1];
	expect(messagesOf({ options: { batchSize: 100 } }, operation)).toEqual([]);
	expect(messagesOf({ options: { batchSize: 101 } }, operation)).toEqual([
		'batchSize: Batch Size is 101, and one request of this operation carries at most 100. Enter a smaller number',
	]);
	expect(messagesOf({ options: { batchSize: 101 } })).toEqual([]);
});

test.each([
	[
		{ testRuns: 'maybe' },
		'testRuns: When Run by Hand is not known. Choose Send, Send a Test to Me or Show Only',
	],
	[
		{ sendOncePeriod: 'year' },
		'sendOncePeriod: Send Once Period is not known. Choose Ever, Day, Week or Month',
	],
	[{ maxBroadcasts: 0 }, expect.stringMatching(/^maxBroadcasts: Max Broadcasts/)],
	[{ sendOnce: 'perhaps' }, expect.stringMatching(/^sendOnce: Send Once/)],
	[{ options: { concurrency: 501 } }, expect.stringMatching(/^concurrency: Concurrency.*500/)],
	[{ options: { requestTimeout: 3_601 } }, expect.stringMatching(/^requestTimeout: .*3600/)],
	[{ options: 'fast' }, expect.stringMatching(/^options: Options/)],
])('The setting %j is refused by its label', (parameters, message) => {
	expect(messagesOf(parameters)).toEqual([message]);
});
