const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** What the test runs of one process know of each other. A run is all tests against one mutant. */

// In the copy of the project in which Stryker tests. After a mutant that never ends, Stryker goes on in a new process.
const file = path.resolve('mutation-tests.json');

/** The titles of the tests in each test file, and how long the file takes in milliseconds. */
const files = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

let failedFile;
let isOver = false;

module.exports = {
	/** Forgets the failure of the run before, but not which file noticed it. */
	startRun() {
		isOver = false;
	},

	/** One failed test is enough to tell that a mutant is noticed. */
	fail(testPath) {
		failedFile = testPath;
		isOver = true;
	},

	isOver: () => isOver,

	remember(testPath, result, durationMs) {
		files[testPath] = {
			titles: result.testResults.map(({ fullName }) => fullName),
			durationMs,
		};
		writeFileSync(file, JSON.stringify(files));
	},

	/** Whether a file may have tests whose titles match. Unknown files may. */
	mayMatch: (testPath, pattern) =>
		files[testPath]?.titles.some((title) => new RegExp(pattern, 'i').test(title)) ?? true,

	/** First what noticed the mutant before, as its neighbour often is noticed there too; then the quickest. */
	rank: (testPath) => (testPath === failedFile ? -1 : (files[testPath]?.durationMs ?? 0)),
};
