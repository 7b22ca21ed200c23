import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DetailView } from './detail/DetailView';
import { ErrorBoundary } from './ErrorBoundary';
import { FilterBar } from './FilterBar';
import { isFiltering, matching, noFilter, scheduled } from './filter';
import { Header } from './Header';
import { Introduction } from './Introduction';
import { MessageList } from './MessageList';
import { Nothing } from './Nothing';
import { Panel } from './panel/Panel';
import { zone } from './times';
import { useNow } from './useNow';
import { useStream } from './useStream';

/** In a narrower window, the panel takes the place of the message. */
const isWide = () => matchMedia('(min-width: 1081px)').matches;

export function App() {
	const { inbox, state, isLive } = useStream();
	const [filter, setFilter] = useState(noFilter);
	const [isScheduled, setIsScheduled] = useState(false);
	const [activeSeq, setActiveSeq] = useState<number>();
	const [isPanelShown, setIsPanelShown] = useState(isWide);
	const isEmpty = inbox.isComplete && inbox.rows.length === 0;
	const nowMs = useNow();
	const search = useRef<HTMLInputElement>(null);

	const found = useMemo(() => inbox.rows.filter(matching(filter)), [inbox.rows, filter]);
	const planned = useMemo(() => scheduled(found), [found]);
	const newestFirst = useMemo(() => found.toReversed(), [found]);
	const rows = isScheduled ? planned : newestFirst;

	const isListed = rows.some(({ seq }) => seq === activeSeq);
	// Selects the first message of the list, and again when the list no longer has the selected one.
	useEffect(() => {
		if (!isListed) setActiveSeq(rows[0]?.seq);
	}, [isListed, rows[0]?.seq]);

	// Preact skips an element that is the same object as before. Otherwise each event would parse a long email again.
	const detail = useMemo(
		() =>
			isListed &&
			activeSeq !== undefined && (
				<ErrorBoundary key={activeSeq} fallback={({ message }) => <Unshown message={message} />}>
					<DetailView seq={activeSeq} />
				</ErrorBoundary>
			),
		[isListed, activeSeq],
	);

	const clearFilter = () => {
		setFilter(noFilter);
		search.current?.focus();
	};

	return (
		<div class={`app${isPanelShown ? ' with-panel' : ''}`}>
			<Header
				{...{ isLive, isPanelShown, inbox }}
				onTogglePanel={() => setIsPanelShown(!isPanelShown)}
			/>
			<main class="columns">
				<section class="list-column" aria-label="What arrived">
					<FilterBar
						{...{ filter, isScheduled, search }}
						planned={planned.length}
						found={found.length}
						total={inbox.rows.length}
						onFilter={setFilter}
						onScheduled={setIsScheduled}
					/>
					{isScheduled ? (
						<p class="zone">
							Accepted messages in the order in which they are to be sent, in {zone}; email and SMS
							times are read as UTC.
						</p>
					) : (
						<p class="zone">Times in {zone}.</p>
					)}
					{rows.length > 0 ? (
						<MessageList
							key={isScheduled}
							label={isScheduled ? 'Scheduled messages, earliest first' : 'Messages, newest first'}
							{...{ rows, activeSeq, nowMs }}
							onActivate={setActiveSeq}
						/>
					) : (
						inbox.isComplete && (
							<Nothing
								isFiltered={isFiltering(filter) && inbox.rows.length > 0}
								isScheduled={isScheduled}
								onClear={clearFilter}
							/>
						)
					)}
				</section>
				<section class="message-column" aria-label="Message" tabIndex={0}>
					{detail}
					{isEmpty && <Introduction />}
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
