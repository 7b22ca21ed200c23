import { differsByItself } from '../../../nodes/CustomerMessaging/run/expressions';

test.each([
	['={{ $now.toISO() }}', 'eachRun', '$now'],
	["={{ $now.startOf('minute').toISO() }}", 'eachRun', '$now'],
	['=Run {{ $execution.id }}', 'eachRun', '$execution'],
	['={{ $executionId }}', 'eachRun', '$executionId'],
	['={{ new Date }}', 'eachRun', 'new Date'],
	['={{ Date.now() }}', 'eachRun', 'Date.now()'],
	['={{ DateTime.utc( ) }}', 'eachRun', 'DateTime.utc( )'],
	['={{ Math.random() }}', 'eachRun', 'random('],
	["={{ ['a', 'b'].randomItem() }}", 'eachRun', 'randomItem('],
	[{ attributes: { assignments: [{ value: '={{ $now }}' }] } }, 'eachRun', '$now'],
	['=Spring sale {{ $today.toISODate() }}', 'eachDay', '$today'],
	['={{ $now.toISODate() }}', 'eachDay', '$now.toISODate()'],
	["={{ $now.startOf('week').toISODate() }}", 'eachDay', '$now.startOf('],
])('%j differs by itself: %s', (raw, often, code) => {
	expect(differsByItself(raw)).toEqual({ often, code });
});

test.each([
	...['={{ $json.order }}', '={{ new Date($json.at).getTime() }}', '={{ $json.randomness }}'],
	...['={{ DateTime.fromISO($json.at).toISODate() }}', '={{ $json.random }} {{ $nowhere }}'],
	...['=Do it $now', '{{ $now }}', 42, undefined, null],
])('%j never differs by itself', (raw) => {
	expect(differsByItself(raw)).toBeUndefined();
});
