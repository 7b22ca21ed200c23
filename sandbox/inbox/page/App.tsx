import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DetailView } from './detail/DetailView';
import { Parts } from './detail/Parts';
import { groupRows, holds } from './entries';
import { ErrorBoundary } from './ErrorBoundary';
import { FilterBar } from './FilterBar';
import { isFiltering, matching, noFilter, scheduled } from './filter';
import { Header } from './Header';
import { countDropped } from './inbox';
import { Introduction } from './Introduction';
import { MessageList } from './MessageList';
import { Nothing } from './Nothing';
import { Panel } from './panel/Panel';
import { useFocusInSight } from './useFocusInSight';
import { useMedia } from './useMedia';
import { useNow } from './useNow';
import { useStream } from './useStream';
import { zone } from './times';

/** A phone shows one of these at a time. A wide screen shows all of them. */
type Place = 'list' | 'message' | 'panel';

/** The element that gets the focus at each place. */
const focusTargets: Record<Place, string> = {
	list: '[role=listbox]',
	message: '.message-column',
	panel: '.panel',
};

export function App() {
	const { inbox, state, isLive } = useStream();
	const [filter, setFilter] = useState(noFilter);
	const [isTimeLine, setIsTimeLine] = useState(false);
	const [activeSeq, setActiveSeq] = useState<number>();
	const [place, setPlace] = useState<Place>('list');
	const [isPanelOpen, setIsPanelOpen] = useState(true);
	const isNarrow = useMedia('(max-width: 760px)');
	const isWide = useMedia('(min-width: 1081px)');
	const isPanelShown = isWide ? isPanelOpen : place === 'panel';
	const isEmpty = inbox.isComplete && inbox.rows.length === 0;
	const nowMs = useNow();
	const columns = useRef<HTMLElement>(null);
	const search = useRef<HTMLInputElement>(null);
	useFocusInSight(columns, place, focusTargets[place]);

	const found = useMemo(() => inbox.rows.filter(matching(filter)), [inbox.rows, filter]);
	const planned = useMemo(() => groupRows(scheduled(found)), [found]);
	const newestFirst = useMemo(() => groupRows(found).toReversed(), [found]);
	const entries = isTimeLine ? planned : newestFirst;

	const active = entries.find((entry) => holds(entry, activeSeq));
	// Selects the first message of the list, and again when the list no longer has the selected one.
	useEffect(() => {
		if (active) return;
		setActiveSeq(entries[0]?.id);
		if (place === 'message') setPlace('list');
	}, [active === undefined, entries[0]?.id]);

	// Preact skips an element that is the same object as before. Otherwise each event would parse a long email again.
	const detail = useMemo(
		() =>
			active &&
			activeSeq !== undefined && (
				<ErrorBoundary key={activeSeq} fallback={({ message }) => <Unshown message={message} />}>
					<DetailView seq={activeSeq} />
				</ErrorBoundary>
			),
		[active === undefined, activeSeq],
	);

	const togglePanel = () => {
		if (isWide) setIsPanelOpen(!isPanelOpen);
		else setPlace(place === 'panel' ? 'list' : 'panel');
	};
	const open = (seq: number) => {
		setActiveSeq(seq);
		setPlace('message');
	};
	const clearFilter = () => {
		setFilter(noFilter);
		search.current?.focus();
	};

	return (
		<div class={`app at-${place}${isPanelShown ? ' with-panel' : ''}${isEmpty ? ' is-empty' : ''}`}>
			<Header
				{...{ isLive, isPanelShown, inbox }}
				dropped={countDropped(inbox)}
				onTogglePanel={togglePanel}
			/>
			<main class="columns" ref={columns}>
				<section class="list-column" aria-label="What arrived">
					<FilterBar
						{...{ filter, isTimeLine, search }}
						planned={planned.length}
						messages={newestFirst.length}
						found={found.length}
						total={inbox.rows.length}
						onFilter={setFilter}
						onTimeLine={setIsTimeLine}
					/>
					{!isTimeLine && entries.length > 0 && <p class="zone">Times in {zone}.</p>}
					{isTimeLine && (
						<p class="zone">
							Accepted messages in the order in which they are to be sent, in {zone}; email and SMS
							times are read as UTC.
						</p>
					)}
					{entries.length > 0 ? (
						<MessageList
							key={isTimeLine}
							label={isTimeLine ? 'Scheduled messages, earliest first' : 'Messages, newest first'}
							{...{ entries, activeSeq, nowMs, isTimeLine }}
							onActivate={setActiveSeq}
							onOpen={open}
						/>
					) : isEmpty && isNarrow ? (
						<Introduction />
					) : (
						inbox.isComplete && (
							<Nothing
								isFiltered={isFiltering(filter) && inbox.rows.length > 0}
								isTimeLine={isTimeLine}
								onClear={clearFilter}
							/>
						)
					)}
				</section>
				<section class="message-column" aria-label="Message" tabIndex={0}>
					<button type="button" class="back quiet" onClick={() => setPlace('list')}>
						Back to the list
					</button>
					{active && active.parts.length > 1 && (
						<Parts {...{ entry: active, activeSeq, nowMs }} onSelect={setActiveSeq} />
					)}
					{detail}
					{isEmpty && !isNarrow && <Introduction />}
				</section>
				{isPanelShown && state && (
					<ErrorBoundary fallback={({ message }) => <Unshown message={message} />}>
						<Panel state={state} />
					</ErrorBoundary>
				)}
			</main>
		</div>
	);
}

function Unshown({ message }: { message: string }) {
	return (
		<p class="nothing" role="alert">
			This part of the page failed: {message}. What arrived is also at /sandbox/record.
		</p>
	);
}
