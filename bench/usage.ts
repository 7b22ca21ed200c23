import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Figures about a process that only Linux provides. */
export const hasUsage = existsSync('/proc/self/clear_refs');

/** Resets the peak to the current memory. */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function peakMb(pid: number): number {
	const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kilobytes) / 1024;
}
