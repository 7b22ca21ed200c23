/** All that TanStack Virtual imports from `react-dom`. Preact renders soon after, which is enough. */
export function flushSync(work: () => void): void {
	work();
}
