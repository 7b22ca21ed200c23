// Plain Node without packages, because it also guards their installation.
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

/** The lock files that this process holds. */
const held = new Set();
process.on('exit', () => held.forEach(release));

/**
 * Takes a lock, or returns the process that has it. Takes over the lock of a process that has ended.
 *
 * @param {string} file
 * @param {string} note for the next one who wants it
 * @param {number} pid of the process that has it from now on
 */
function tryLock(file, note = '', pid = process.pid) {
	fs.mkdirSync(path.dirname(file), { recursive: true });
	const own = `${file}.${process.pid}`;
	fs.writeFileSync(own, JSON.stringify({ pid, start: startOf(pid), note }));
	try {
		for (;;) {
			try {
				// Unlike writing, linking puts the whole content there at once, and only if nothing is there.
				fs.linkSync(own, file);
				if (pid === process.pid) held.add(file);
				return undefined;
			} catch (error) {
				if (error.code !== 'EEXIST') throw error;
			}
			const holder = holderOf(file);
			if (holder) return holder;
			discardStale(file);
		}
	} finally {
		fs.rmSync(own, { force: true });
	}
}

/**
 * The running process that has the lock, if there is one. Process IDs are used again, in containers at
 * each start, so it must also have begun at the time that the lock names.
 *
 * @param {string} file
 */
function holderOf(file) {
	const holder = read(file);
	if (!holder || typeof holder.pid !== 'number') return undefined;
	if (holder.pid === process.pid && !held.has(file)) return undefined;
	return isRunning(holder.pid) && startOf(holder.pid) === holder.start ? holder : undefined;
}

/** @param {string} file */
function release(file) {
	held.delete(file);
	fs.rmSync(file, { force: true });
}

/**
 * Waits for a lock, holds it during the work, and reports regularly why it waits.
 *
 * @template T
 * @param {string} file
 * @param {string} what this process does with it, for others that wait
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
async function withLock(file, what, work) {
	for (let turn = 0; ; turn++) {
		const holder = tryLock(file, what);
		if (!holder) break;
		if (turn % 30 === 0) {
			console.log(
				`Waiting for process ${holder.pid}, which is ${holder.note}. If there is no such process, delete ${file}.`,
			);
		}
		await sleep(500);
	}
	try {
		return await work();
	} finally {
		release(file);
	}
}

/** Moves the lock away first. If another process was faster, this is its new lock, which is put back. */
function discardStale(file) {
	const away = `${file}.stale-${process.pid}`;
	try {
		fs.renameSync(file, away);
	} catch (error) {
		if (error.code === 'ENOENT') return;
		throw error;
	}
	if (holderOf(away)) {
		try {
			fs.linkSync(away, file);
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
	}
	fs.rmSync(away, { force: true });
}

function read(file) {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8'));
	} catch {
		// The file is gone, or incomplete after a crash.
		return undefined;
	}
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** When a process began, according to Linux. Empty on other systems, and if the process has ended. */
function startOf(pid) {
	try {
		const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name, in brackets, may contain spaces. The start is the 20th field after it.
		const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		// A process that was killed stays in the list until its parent has seen it.
		if (state === 'Z') return '';
		const start = fields[18];
		return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${start}`;
	} catch {
		return '';
	}
}

module.exports = { tryLock, holderOf, release, withLock };
