const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** What the test runs of one process know of each other. A run is the tests against one mutant. */

// In the copy of the project in which Stryker tests. After a mutant that never ends, Stryker goes on in
// a new process.
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

	/** One failed test is enough. */
	fail(testPath) {
		failedFile = testPath;
		isOver = true;
	},

	isOver: () => isOver,

	remember(testPath, { testResults, perfStats }) {
		const titles = testResults.map(({ fullName }) => fullName);
		files[testPath] = { titles, durationMs: perfStats.runtime };
		writeFileSync(file, JSON.stringify(files));
	},

	/** Whether a file has tests whose titles match. */
	mayMatch(testPath, pattern) {
		const known = files[testPath];
		if (!known || !pattern) return true;
		const regExp = new RegExp(pattern, 'i');
		return known.titles.some((title) => regExp.test(title));
	},

	/** First what noticed the mutant before, because it often notices its neighbour too; then the quickest. */
	rank: (testPath) => (testPath === failedFile ? -1 : (files[testPath]?.durationMs ?? 0)),
};
