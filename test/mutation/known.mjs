/**
 * Faults that would harm people, each with the tests that must notice it. `node test/mutation/known.mjs [words]` makes
 * each of them in turn in the sources, runs these tests, and puts the sources back. The faults that the simulation of
 * histories must find are in `test/unit/engine/record/secondTries.property.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** What is wrong; the file; its text; the text in its place; the tests. */
const mutations = [
	[
		'A time-out is sent again',
		'engine/policy.ts',
		"unanswered: { ...unknown, limit: 'unanswered' }",
		"unanswered: { ...unknown, limit: 'unanswered', again: 'always' }",
		'nothingIsLost/(outcomes|promisesAnswers)',
	],
	[
		'By hand, a broadcast is sent',
		'run/guards.ts',
		'operation.isMessage === true && startedByHand === true',
		'false',
		'nobodyIsReachedByAccident/previews',
	],
	[
		'Max Broadcasts is not kept',
		'plan/counts.ts',
		'countOf(delivery) > maxBroadcasts',
		'countOf(delivery) > maxBroadcasts + 1',
		'nobodyIsReachedTwice/broadcasts',
	],
	[
		'Max Messages is not kept',
		'plan/plan.ts',
		'tooManyMessages(deliveries, settings.maxMessages,',
		'tooManyMessages(deliveries, settings.maxMessages + 1,',
		'nobodyIsReachedByAccident/maxMessages',
	],
	[
		'A passed time is sent',
		'run/wire.ts',
		'writtenMs !== undefined && writtenMs < nowMs',
		'false',
		'whatIsEnteredArrives/schedule',
	],
	[
		'Secrets are shown',
		'shared/mask.ts',
		'pattern ? maskEscaped(value.replace(pattern, masked), pattern) : value',
		'value',
		'security/leaks',
	],
	[
		'Rows of one user leave at once',
		'engine/queue.ts',
		'return !rows[0] || messages.includes(rows[0]);',
		'return true;',
		'unit/engine/deliver/lastRowWins',
	],
	[
		'Only These Recipients is ignored',
		'plan/messageFilter.ts',
		'if (only && !operation.reachesNobody && !isAllowed(delivery, only, fields))',
		'if (only && false)',
		'nobodyIsReachedByAccident/whoMayBeReached',
	],
	[
		'Good rows leave although a bad one stops the workflow',
		'CustomerMessaging.node.ts',
		'plan.invalid.length > 0 && !showsGoodRows',
		'plan.invalid.length > 9 && !showsGoodRows',
		'mistakesAreExplained/whatRunsTell',
	],
	[
		'The same message leaves twice in a run',
		'plan/messageFilter.ts',
		'if (firstItem !== undefined)',
		'if (firstItem === -1)',
		'nobodyIsReachedTwice/sameMessages',
	],
	[
		'Empty placeholders are sent',
		'plan/rows.ts',
		'if (found.length === 0) return checked;',
		'return checked;',
		'mistakesAreExplained/placeholders',
	],
	[
		'Send Once forgets the period',
		'plan/keys.ts',
		'onceKey(run, delivery, period, key ===',
		"onceKey(run, delivery, '', key ===",
		'nobodyIsReachedTwice/sendOnce',
	],
	[
		'A refused batch is not split',
		'engine/batches.ts',
		'if (!halves || isFutile || messages.length < 2) return undefined;',
		'return undefined;',
		'nothingIsLost/batches',
	],
	[
		'What a call has in flight is noted nowhere',
		'engine/record/ledger.ts',
		'if (key !== undefined && (!this.own[key] || this.own[key].isDoubt)) this.write(key, inFlight);',
		'',
		'nobodyIsReachedTwice/agent',
	],
	[
		'Answers of 429 count as requests of our own',
		'engine/pace/limit.ts',
		"if (event === 'notCounted') return;",
		"if (event === 'notCounted') return;\n\t\tif (event === 'limited') quota.counted(undefined, departure, this.inFlight, nowMs);",
		'unit/engine/pace/pace',
	],
	[
		'Headers count in the order in which they arrive',
		'engine/pace/quota.ts',
		'if (wasInFlight ? change >= 0 : departure.seq <= reading.seq) return;',
		'',
		'unit/engine/pace/limit',
	],
	[
		'Each execution has a limit of its own',
		'engine/pace/pace.ts',
		'const pace = paces.get(key) ?? new Pace(',
		'const pace = new Pace(',
		'unit/engine/pace/pace',
	],
	[
		'What is in flight takes no place',
		'engine/pace/limit.ts',
		'this.inFlight++;',
		'',
		'unit/engine/pace/limit',
	],
];

const [words = ''] = process.argv.slice(2);
// Ctrl+C ends the tests, and the sources are put back.
process.on('SIGINT', () => {});
const chosen = mutations.filter(([fault]) => fault.includes(words));
let missed = 0;
for (const [fault, name, text, wrong, tests] of chosen) {
	const file = `nodes/CustomerMessaging/${name}`;
	const source = readFileSync(file, 'utf8');
	if (source.split(text).length !== 2) throw new Error(`${file} does not hold this once: ${text}`);
	writeFileSync(
		file,
		source.replace(text, () => wrong),
	);
	const jest = spawnSync('npx', ['jest', '--forceExit', tests], { encoding: 'utf8' });
	writeFileSync(file, source);
	if (jest.signal || jest.status > 1) process.exit(1);
	// Without any, Jest may have found no test file, or none that can be loaded.
	const failed = [...new Set(jest.stderr.match(/(?<=● ).+/g))].filter(
		(title) => !/failed to run/.test(title),
	);
	console.log(`${failed.length > 0 ? 'noticed' : 'MISSED '}  ${fault} (${tests})`);
	for (const title of failed.slice(0, 3)) console.log(`         ${title}`);
	if (failed.length === 0) missed++;
}
console.log(`${chosen.length} faults, ${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;
