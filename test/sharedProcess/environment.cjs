require('reflect-metadata');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { DataDeduplicationService } = require('n8n-core');

/**
 * The process itself in place of a new global object for each test file, so that test files can share
 * what runtime.cjs keeps. The project's own modules are still loaded anew for each file.
 */
module.exports = class SharedEnvironment {
	global = globalThis;

	constructor({ projectConfig: config }) {
		Object.assign(globalThis, config.globals);
		const moduleMocker = new ModuleMocker(globalThis);
		const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
		this.moduleMocker = moduleMocker;
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		this.fakeTimers = new LegacyFakeTimers({
			config,
			global: globalThis,
			moduleMocker,
			timerConfig,
		});
	}

	exportConditions = () => ['node', 'node-addons'];
	getVmContext = () => ({});
	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		// Each test file makes its own, and n8n permits only one in a process.
		delete DataDeduplicationService.instance;
	}
};
