import { useLayoutEffect, useRef } from 'preact/hooks';
import { holds, type Entry } from './entries';
import { ErrorBoundary } from './ErrorBoundary';
import { ListRow, UnshownRow } from './ListRow';
import { useVirtualizer } from './useVirtualizer';

interface Props {
	label: string;
	entries: readonly Entry[];
	activeSeq: number | undefined;
	nowMs: number;
	/** Whether the rows are sorted by their scheduled time, and not by arrival. */
	isTimeLine: boolean;
	onActivate: (seq: number) => void;
	/** Opened by a click or Enter. */
	onOpen: (seq: number) => void;
}

const rowHeight = 84;

/** A listbox that has only the visible rows in the document. It is one tab stop, and arrow keys move within it. */
export function MessageList({
	label,
	entries,
	activeSeq,
	nowMs,
	isTimeLine,
	onActivate,
	onOpen,
}: Props) {
	const list = useRef<HTMLDivElement>(null);
	const activeIndex = entries.findIndex((entry) => holds(entry, activeSeq));
	const active = entries[activeIndex];
	const virtualizer = useVirtualizer(list, { count: entries.length, rowHeight, activeIndex });
	useSteadyPlace(list, entries);

	const moveTo = (index: number) => {
		const entry = entries[Math.max(0, Math.min(entries.length - 1, index))];
		if (!entry) return;
		virtualizer.scrollToIndex(entries.indexOf(entry));
		onActivate(entry.id);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 1);
		const moves: Record<string, number> = {
			ArrowDown: activeIndex + 1,
			ArrowUp: activeIndex - 1,
			PageDown: activeIndex + page,
			PageUp: activeIndex - page,
			Home: 0,
			End: entries.length - 1,
		};
		const target = moves[event.key];
		if (target !== undefined) moveTo(target);
		else if (event.key === 'Enter' && activeSeq !== undefined) onOpen(activeSeq);
		else return;
		event.preventDefault();
	};

	const firstToCome = isTimeLine
		? entries.findIndex(({ parts: [{ schedule }] }) => 'atMs' in schedule && schedule.atMs > nowMs)
		: -1;
	return (
		<div
			ref={list}
			class={`list${isTimeLine ? ' is-time-line' : ''}`}
			role="listbox"
			aria-label={label}
			aria-activedescendant={active && `row-${active.id}`}
			tabIndex={0}
			onKeyDown={onKeyDown}
		>
			<div
				role="presentation"
				class="list-height"
				style={{ height: `${virtualizer.getTotalSize()}px` }}
			>
				{virtualizer.getVirtualItems().map(({ index, start }) => {
					const entry = entries[index];
					if (!entry) return null;
					const isActive = entry === active;
					const place = { entry, index, start, count: entries.length, isActive };
					return (
						<ErrorBoundary
							key={entry.id}
							fallback={() => <UnshownRow {...place} onOpen={onOpen} />}
						>
							<ListRow
								{...{ ...place, nowMs, isTimeLine, onOpen }}
								previous={entries[index - 1]?.parts[0]}
								isNext={index === firstToCome}
							/>
						</ErrorBoundary>
					);
				})}
			</div>
		</div>
	);
}

/** Keeps the rows that are visible in place while more arrive above them. */
function useSteadyPlace(list: { current: HTMLElement | null }, entries: readonly Entry[]): void {
	const before = useRef<number | undefined>(undefined);
	useLayoutEffect(() => {
		const above =
			before.current === undefined ? 0 : entries.findIndex(({ id }) => id === before.current);
		if (list.current && list.current.scrollTop > 0 && above > 0)
			list.current.scrollTop += above * rowHeight;
		before.current = entries[0]?.id;
	}, [entries]);
}
