import { useEffect, useRef, useState } from 'preact/hooks';
import type { Inbox } from './inbox';
import { counted } from './words';

const everyMs = 5000;

/** Tells screen readers how many messages arrived, at most every five seconds. */
export function Announcer({ inbox: { total, isComplete } }: { inbox: Inbox }) {
	const [said, say] = useState('');
	const now = useRef(total);
	const told = useRef<number | undefined>(undefined);
	now.current = total;
	if (isComplete && (told.current === undefined || told.current > total)) told.current = total;

	useEffect(() => {
		const timer = setInterval(() => {
			const fresh = now.current - (told.current ?? now.current);
			if (fresh <= 0) return;
			told.current = now.current;
			say(counted(fresh, 'new message'));
		}, everyMs);
		return () => clearInterval(timer);
	}, []);

	return (
		<p class="unseen" aria-live="polite">
			{said}
		</p>
	);
}
