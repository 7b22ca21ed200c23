import { useEffect, useState } from 'preact/hooks';

/** The present in epoch milliseconds, updated every half minute. */
export function useNow(): number {
	const [nowMs, setNowMs] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNowMs(Date.now()), 30_000);
		return () => clearInterval(timer);
	}, []);
	return nowMs;
}
