const SharedEnvironment = require('../sharedProcess/environment.cjs');
const memory = require('./memory.cjs');

/** Titles of tests that try many thousands of values, which would take seconds with each mutant. */
const slow = /fifty thousandth|ten million characters|text of any length/;

/** Skips the rest of a file in which a test has failed. */
module.exports = class UntilFailure extends SharedEnvironment {
	constructor(config, context) {
		super(config);
		this.testPath = context.testPath;
	}

	async handleTestEvent({ name, test, hook }) {
		if (name === 'test_start' && (memory.isOver() || slow.test(test.name))) test.mode = 'skip';
		if (name === 'test_done' && test.errors.length > 0) memory.fail(this.testPath);
		if (hook?.type === 'beforeAll' || hook?.type === 'afterAll') noteCoverage(name, hook);
	}
};

/**
 * Stryker takes for static what no single test runs, and runs all tests against a static mutant. What
 * `beforeAll` runs is covered by each test that it is for.
 */
function noteCoverage(event, hook) {
	const stryker = globalThis.__stryker__;
	if (!stryker) return;
	if (event === 'hook_start') stryker.currentTestId = 'hook';
	else {
		stryker.currentTestId = undefined;
		const { perTest } = stryker.mutantCoverage ?? { perTest: {} };
		for (const title of titlesIn(hook.parent))
			perTest[title] = { ...perTest.hook, ...perTest[title] };
		delete perTest.hook;
	}
}

function titlesIn({ children }) {
	return children.flatMap((child) => (child.type === 'test' ? [titleOf(child)] : titlesIn(child)));
}

/** As Stryker and Jest write it: without the outermost block, which has a name of its own. */
function titleOf({ name, parent }) {
	return parent?.parent ? `${titleOf(parent)} ${name}` : name;
}
