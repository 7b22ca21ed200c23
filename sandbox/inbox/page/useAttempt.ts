import { useState } from 'preact/hooks';

/** Makes changes of the sandbox, and says why the latest one failed. */
export function useAttempt() {
	const [reason, setReason] = useState('');
	const attempt = (change: Promise<unknown>) => {
		setReason('');
		change.catch((error: Error) => setReason(error.message));
	};
	return { attempt, reason };
}
