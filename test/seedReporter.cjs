const path = require('node:path');

/** Prints what random cases are drawn from, and for failed tests the command that repeats them. */
module.exports = class SeedReporter {
	onRunStart() {
		print(`Random cases are drawn from PROPERTY_SEED=${process.env.PROPERTY_SEED}`);
	}

	onRunComplete(_, { testResults }) {
		const failed = testResults
			.filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError)
			.map(({ testFilePath }) => path.relative(process.cwd(), testFilePath));
		if (failed.length === 0) return;
		const { PROPERTY_SEED, PROPERTY_RUNS } = process.env;
		const variables = `PROPERTY_SEED=${PROPERTY_SEED} PROPERTY_RUNS=${PROPERTY_RUNS}`;
		print(`Repeat it: ${variables} npm run test:property -- ${failed.join(' ')}`);
	}
};

/** To the stream of jest's own reports. */
function print(line) {
	process.stderr.write(`${line}\n`);
}
