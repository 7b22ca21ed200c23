// Loaded into n8n before its own code. Its clock is ahead of the machine's by the milliseconds that a file holds.
const { readFileSync } = require('node:fs');

const MachineDate = Date;
const machineNow = Date.now;
let aheadMs = 0;

setInterval(() => {
	try {
		aheadMs = Number(readFileSync(process.env.CLOCK_AHEAD_FILE, 'utf8'));
	} catch {
		// The file is gone once the suite has ended.
	}
}, 50).unref();

const now = () => machineNow() + aheadMs;

global.Date = new Proxy(MachineDate, {
	construct: (target, args, newTarget) =>
		Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
	apply: () => new MachineDate(now()).toString(),
	get: (target, key) => (key === 'now' ? now : target[key]),
});
