import { differsByItself } from '../../../nodes/CustomerMessaging/run/differs';

describe('An expression differs by itself', () => {
	it.each([
		['={{ $now.toISO() }}', '$now'],
		['=Sent at {{ $now }}', '$now'],
		["={{ $now.toFormat('dd.MM.') }}", '$now'],
		["={{ $now.startOf('minute').toISO() }}", '$now'],
		['=Run {{ $execution.id }}', '$execution'],
		['={{ $executionId }}', '$executionId'],
		['={{ new Date().getTime() }}', 'new Date'],
		['={{ new Date }}', 'new Date'],
		['={{ Date.now() }}', 'Date.now()'],
		['={{ DateTime.utc( ) }}', 'DateTime.utc( )'],
		['={{ Math.random() }}', 'random('],
		["={{ ['a', 'b'].randomItem() }}", 'randomItem('],
		[{ attributes: { assignments: [{ value: '={{ $now }}' }] } }, '$now'],
		['={{ $today }} {{ $now }}', '$now'],
	])('in each run: %j', (raw, code) => {
		expect(differsByItself(raw)).toEqual({ often: 'eachRun', code });
	});

	it.each([
		['=Spring sale {{ $today.toISODate() }}', '$today'],
		['={{ $now.toISODate() }}', '$now.toISODate()'],
		["={{ $now.startOf('week').toISODate() }}", '$now.startOf('],
	])('from one day to the next: %j', (raw, code) => {
		expect(differsByItself(raw)).toEqual({ often: 'eachDay', code });
	});

	it.each([
		'={{ $json.order }}',
		'={{ new Date($json.at).getTime() }}',
		'={{ DateTime.fromISO($json.at).toISODate() }}',
		'={{ $json.random }} {{ $nowhere }}',
		'={{ $json.randomness }}',
		'=Do it $now',
		'{{ $now }}',
		42,
		undefined,
		null,
	])('never: %j', (raw) => {
		expect(differsByItself(raw)).toBeUndefined();
	});
});
