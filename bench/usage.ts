import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Figures about a process that only Linux provides. */
export const hasUsage = existsSync('/proc/self/clear_refs');

const TICKS_PER_SECOND = 100;

/** The processor time of a process so far, in user mode and in the kernel. */
export function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resets the peak to the current memory. */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function peakMb(pid: number): number {
	const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kilobytes) / 1024;
}
