import { useEffect, useReducer, useState } from 'preact/hooks';
import type { Hello, Rows, State } from '../stream';
import { emptyInbox, unknownInbox, withRows, type Inbox } from './inbox';

const retryMs = 2000;

type Change = { kind: 'rows'; rows: Rows } | { kind: 'startedOver'; isEmpty: boolean };

function changed(inbox: Inbox, change: Change): Inbox {
	if (change.kind === 'rows') return withRows(inbox, change.rows);
	return change.isEmpty ? emptyInbox : unknownInbox;
}

/** The sandbox's events as they happen. After a broken connection, they continue where they ended. */
export function useStream(): { inbox: Inbox; state: State | undefined; isLive: boolean } {
	const [inbox, change] = useReducer(changed, unknownInbox);
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

			on<Hello>('hello', ({ resumed, total }) => {
				setIsLive(true);
				if (!resumed) change({ kind: 'startedOver', isEmpty: total === 0 });
			});
			on<Rows>('rows', (rows) => change({ kind: 'rows', rows }));
			on('cleared', () => change({ kind: 'startedOver', isEmpty: true }));
			on<State>('state', setState);
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
