const Sequencer = require('@jest/test-sequencer').default;

/** They wait most of their time: for a pause, a time-out or a rate limit. */
const waiting =
	/engine\/.*\/(atOnce|outages|outcomes|promises(Answers|Faults|Pace)|leaks|store|withinHours)\./;

/** Begins with the test files that wait, so that others compute meanwhile, and none of them is left at the end. */
module.exports = class WaitingFirst extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const waits = ({ path }) => waiting.test(path);
		return [...sorted.filter(waits), ...sorted.filter((test) => !waits(test))];
	}
};
