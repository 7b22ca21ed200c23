// Tests that read n8n's log put one of their own in its place.
process.env.N8N_LOG_LEVEL = 'silent';
// See scripts/testExpressions.ts.
const { TESTED_N8N, N8N_EXPRESSION_ENGINE: engine } = process.env;
const fromN8n = (name) => require(require.resolve(name, { paths: [TESTED_N8N ?? __dirname] }));
fromN8n('reflect-metadata');
const { AsyncLocalStorage } = require('node:async_hooks');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { DataDeduplicationService } = fromN8n('n8n-core');
const { Expression } = fromN8n('n8n-workflow');

/**
 * The storages that were used since a test file began. Jest makes one for each file, and Node.js asks each one that was
 * ever used about every promise, until it is disabled.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...given) {
	storages.add(this);
	return run.apply(this, given);
};

/** Shorter timers end by themselves before Jest minds. */
const LONG_MS = 300;

/**
 * Makes `setTimeout` remember its long timers. A run of the node cannot cancel n8n's `sleep`, so its safeguards
 * outlast it by up to half a minute, and would keep the process from ending.
 *
 * @returns a function that lets the process end before these timers, and restores `setTimeout`
 */
function watchTimers() {
	const { setTimeout } = globalThis;
	const long = new Set();
	const watched = (callback, ms, ...rest) => {
		const timer = setTimeout(callback, ms, ...rest);
		if (ms > LONG_MS) long.add(timer);
		return timer;
	};
	globalThis.setTimeout = Object.defineProperties(
		watched,
		Object.getOwnPropertyDescriptors(setTimeout),
	);
	return () => {
		for (const timer of long) timer.unref();
		globalThis.setTimeout = setTimeout;
	};
}

/**
 * The process itself in place of a new global object for each test file, so that test files can share
 * what runtime.cjs keeps. The project's own modules are still loaded anew for each file.
 */
module.exports = class SharedEnvironment {
	global = globalThis;

	constructor({ projectConfig: config }) {
		Object.assign(globalThis, config.globals);
		this.letTimersGo = watchTimers();
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
	async setup() {
		const limits = { poolSize: 1, maxCodeCacheSize: 1_000, bridgeMemoryLimit: 128 };
		if (engine) await Expression.initExpressionEngine({ engine, bridgeTimeout: 5_000, ...limits });
	}

	async teardown() {
		if (engine) await Expression.disposeExpressionEngine();
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		this.letTimersGo();
		for (const storage of storages) storage.disable();
		storages.clear();
		// Each test file makes its own, and n8n permits only one in a process.
		delete DataDeduplicationService.instance;
	}
};
