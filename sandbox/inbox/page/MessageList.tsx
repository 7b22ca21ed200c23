import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Row } from '../row';
import { ErrorBoundary } from './ErrorBoundary';
import { ListRow, UnshownRow } from './ListRow';
import { useVirtualizer } from './useVirtualizer';

interface Props {
	label: string;
	rows: readonly Row[];
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
	rows,
	activeSeq,
	nowMs,
	isTimeLine,
	onActivate,
	onOpen,
}: Props) {
	const list = useRef<HTMLDivElement>(null);
	const activeIndex = rows.findIndex(({ seq }) => seq === activeSeq);
	const virtualizer = useVirtualizer(list, { count: rows.length, rowHeight, activeIndex });
	useSteadyPlace(list, rows);

	const moveTo = (index: number) => {
		const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
		if (!row) return;
		virtualizer.scrollToIndex(rows.indexOf(row));
		onActivate(row.seq);
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
			End: rows.length - 1,
		};
		const target = moves[event.key];
		if (target !== undefined) moveTo(target);
		else if (event.key === 'Enter' && activeSeq !== undefined) onOpen(activeSeq);
		else return;
		event.preventDefault();
	};

	const firstToCome = isTimeLine
		? rows.findIndex(({ schedule }) => 'atMs' in schedule && schedule.atMs > nowMs)
		: -1;
	return (
		<div
			ref={list}
			class={`list${isTimeLine ? ' is-time-line' : ''}`}
			role="listbox"
			aria-label={label}
			aria-activedescendant={activeIndex < 0 ? undefined : `row-${activeSeq}`}
			tabIndex={0}
			onKeyDown={onKeyDown}
		>
			<div
				role="presentation"
				class="list-height"
				style={{ height: `${virtualizer.getTotalSize()}px` }}
			>
				{virtualizer.getVirtualItems().map(({ index, start }) => {
					const row = rows[index];
					if (!row) return null;
					const place = { row, index, start, count: rows.length, isActive: index === activeIndex };
					return (
						<ErrorBoundary key={row.seq} fallback={() => <UnshownRow {...place} onOpen={onOpen} />}>
							<ListRow
								{...{ ...place, nowMs, isTimeLine, onOpen }}
								previous={rows[index - 1]}
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
function useSteadyPlace(list: { current: HTMLElement | null }, rows: readonly Row[]): void {
	const before = useRef<number | undefined>(undefined);
	useLayoutEffect(() => {
		const above =
			before.current === undefined ? 0 : rows.findIndex(({ seq }) => seq === before.current);
		if (list.current && list.current.scrollTop > 0 && above > 0)
			list.current.scrollTop += above * rowHeight;
		before.current = rows[0]?.seq;
	}, [rows]);
}
