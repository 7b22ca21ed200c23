import type { Row } from '../row';
import { ErrorBoundary } from './ErrorBoundary';
import { ListRow } from './ListRow';

interface Props {
	label: string;
	rows: readonly Row[];
	activeSeq: number | undefined;
	nowMs: number;
	onActivate: (seq: number) => void;
}

const mostShown = 300;

/** A listbox. It is one tab stop, and arrow keys move within it. */
export function MessageList({ label, rows, activeSeq, nowMs, onActivate }: Props) {
	const shown = rows.slice(0, mostShown);
	const activeIndex = shown.findIndex(({ seq }) => seq === activeSeq);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const last = shown.length - 1;
		const moves: Record<string, number> = {
			ArrowDown: Math.min(last, activeIndex + 1),
			ArrowUp: Math.max(0, activeIndex - 1),
			Home: 0,
			End: last,
		};
		const row = shown[moves[event.key] ?? -1];
		if (!row) return;
		event.preventDefault();
		onActivate(row.seq);
		document.getElementById(`row-${row.seq}`)?.scrollIntoView({ block: 'nearest' });
	};
	return (
		<>
			<div
				class="list"
				role="listbox"
				aria-label={label}
				aria-activedescendant={activeIndex >= 0 ? `row-${activeSeq}` : undefined}
				tabIndex={0}
				onKeyDown={onKeyDown}
			>
				{shown.map((row) => (
					<div
						key={row.seq}
						id={`row-${row.seq}`}
						class="row"
						role="option"
						aria-selected={row.seq === activeSeq}
						onClick={() => onActivate(row.seq)}
					>
						<ErrorBoundary fallback={() => `Message ${row.seq} cannot be shown here.`}>
							<ListRow row={row} nowMs={nowMs} />
						</ErrorBoundary>
					</div>
				))}
			</div>
			{rows.length > mostShown && (
				<p class="zone">The first {mostShown}. Search and filters go through all.</p>
			)}
		</>
	);
}
