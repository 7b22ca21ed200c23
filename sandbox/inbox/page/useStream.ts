import { useEffect, useReducer, useState } from 'preact/hooks';
import type { Rows, State } from '../stream';
import { unknownInbox, withRows, type Inbox } from './inbox';

const retryMs = 2000;

/** The sandbox's events as they happen. After a broken connection, they start over. */
export function useStream(): { inbox: Inbox; state: State | undefined; isLive: boolean } {
	const [inbox, addRows] = useReducer(withRows, unknownInbox);
	const [state, setState] = useState<State>();
	const [isLive, setIsLive] = useState(false);

	useEffect(() => {
		let source: EventSource;
		let timer: ReturnType<typeof setTimeout>;
		const listen = () => {
			source = new EventSource('/sandbox/inbox/events');
			const on = <Data>(event: string, handle: (data: Data) => void) =>
				source.addEventListener(event, ({ data }: MessageEvent<string>) =>
					handle(JSON.parse(data) as Data),
				);
			on<Rows>('rows', addRows);
			on<State>('state', setState);
			source.onopen = () => setIsLive(true);
			source.onerror = () => {
				setIsLive(false);
				// The browser itself tries again, unless the response was not a stream of events.
				if (source.readyState === EventSource.CLOSED) timer = setTimeout(listen, retryMs);
			};
		};
		listen();
		return () => {
			clearTimeout(timer);
			source.close();
		};
	}, []);

	return { inbox, state, isLive };
}
