/**
 * The folders of the product, each with the tests that run against its mutants: those that are quick and
 * likely to notice. A mutant that survives them is run against all of them, so each slow test costs much.
 */
module.exports = {
	pace: ['unit/pace/pace'],
	fields: ['unit/fields/', 'unit/operations/'],
	schedule: ['unit/schedule/', 'engine/requests-schedule', 'engine/schedule-passed'],
	operations: [
		'unit/operations/',
		'unit/(description|reference|plan/leftToModel)',
		'engine/requests\\.',
		'engine/requests-(custom|event|output|preview|recipients|user)',
		'engine/(preview|refusals-(bodies|event|push|user))\\.',
	],
	plan: [
		'unit/plan/(?!leftToModel)',
		'engine/(send-once|send-once-period|preview)\\.test',
		'engine/refusals-run',
	],
	send: [
		'unit/send/',
		'engine/(batches|outcomes|retry-list|schedule-passed|send-once|send-once-period|test-recipient|tool)\\.test',
		'engine/promises-(again|answers|order|users)\\.test',
	],
	report: ['unit/report/', 'engine/(messages-in-words|preview|sms-hints)\\.'],
	run: [
		'unit/(credentials|run)/',
		'unit/(messages|review)\\.',
		'unit/(description|operations/forms)',
		'unit/plan/(leftToModel|sendOncePeriod|testMessage)',
		'engine/(credentials-test|refusals-differing)\\.test',
	],
	n8n: [
		'unit/(credentials|n8n)/',
		'engine/(internal-errors|send-once-period|send-once-unknown|send-once-users)\\.test',
	],
	shared: [
		'unit/(credentials|report|shared)/',
		'unit/run/account',
		'unit/send/(batches|answer)',
		'unit/operations/(catalogue|check|question)',
		'unit/plan/(broadcastGuard|longWait)',
		'unit/schedule/choice',
		'engine/(advice|columns|internal-errors|large-integers|messages-in-words)\\.',
	],
	credentials: ['unit/credentials/', 'unit/description', 'unit/review'],
};
