// Loaded into n8n before its own code: the first SIGUSR2 begins a CPU profile, the second writes it.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');

const file = process.env.BENCH_PROFILE;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 200 });
let isRunning = false;

process.on('SIGUSR2', () => {
	if (!isRunning) {
		session.post('Profiler.start');
	} else {
		session.post('Profiler.stop', (_error, { profile }) => {
			writeFileSync(`${file}.part`, JSON.stringify(profile));
			renameSync(`${file}.part`, file);
		});
	}
	isRunning = !isRunning;
});
