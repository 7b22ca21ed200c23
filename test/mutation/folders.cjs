/** Folders of the product, each with the tests that run against its mutants. Slow tests are left out. */
module.exports = {
	schedule: ['unit/schedule/', 'engine/(requests|refusals)-schedule', 'engine/schedule-passed'],
	fields: [
		'unit/fields/',
		'unit/operations/check',
		'engine/(values|large-integers)\\.',
		'engine/refusals-(bodies|mail|push|user|event|integers)',
	],
	rateLimit: ['unit/rateLimit/(?!mutations|pacing)'],
	operations: [
		'unit/operations/',
		'unit/(description|reference|plan/leftToModel)',
		'engine/requests',
		'engine/senders',
		'engine/refusals-(event|integers|mail|push|required|user)',
	],
	plan: [
		'unit/plan/',
		'engine/(send-once|test-recipient|preview)\\.test',
		'engine/requests-(preview|recipients)',
		'engine/refusals-(run|bodies)',
	],
	delivery: [
		'unit/delivery/',
		'engine/(batches|outcomes|send-once|retry-list|test-recipient)\\.test',
		'engine/promises-(again|answers|order|retry|stop|users|events)',
	],
	report: [
		'unit/report/',
		'engine/(advice|columns|form-hints|messages-in-words|outcomes|preview|test-recipient)\\.',
		'engine/requests-output',
		'engine/promises-again',
	],
	run: [
		'unit/run/',
		'engine/(credentials-|directRead|segments|senders|tool|test-recipient)',
		'engine/refusals-(run|differing|required)',
	],
	n8n: [
		'engine/(outcomes|send-once|credentials-addresses)\\.test',
		'engine/promises-(answers|retry|stop)',
	],
	shared: ['unit/shared/', 'engine/(outcomes|large-integers)', 'engine/security/secrets'],
	credentials: ['unit/description', 'engine/credentials-', 'engine/senders'],
};
