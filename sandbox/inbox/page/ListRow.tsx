import type { Row } from '../row';
import { channelIcon, Icon } from './Icon';
import { Text } from './Text';
import { briefly, dayFrom, dayOf, hourOf } from './times';
import { kindOf, outcomeNames, recipientOf, toneOf } from './words';

interface Props {
	row: Row;
	/** The one above it. */
	previous: Row | undefined;
	index: number;
	count: number;
	/** Pixels from the top. */
	start: number;
	nowMs: number;
	isTimeLine: boolean;
	isActive: boolean;
	/** Whether it is the first of those still to come. */
	isNext: boolean;
	onOpen: (seq: number) => void;
}

export function ListRow({
	row,
	previous,
	index,
	count,
	start,
	nowMs,
	isTimeLine,
	isActive,
	isNext,
	onOpen,
}: Props) {
	return (
		<div
			id={`row-${row.seq}`}
			class={`row${isNext ? ' is-next' : ''}`}
			role="option"
			aria-selected={isActive}
			aria-setsize={count}
			aria-posinset={index + 1}
			style={{ transform: `translateY(${start}px)` }}
			onClick={() => onOpen(row.seq)}
		>
			{isTimeLine ? <Due {...{ row, previous, nowMs }} /> : <Badge row={row} />}
			{isNext && <span class="now-mark">now</span>}
			<div class="row-words">
				<div class="row-head">
					<strong class="row-title">
						<Text of={row.title || 'Without a title'} />
					</strong>
					<time class="row-time">{briefly(row.time, nowMs)}</time>
				</div>
				<div class="row-text">
					<Text of={row.text} />
				</div>
				<div class="row-foot">
					<span>{kindOf(row)}</span>
					{recipientOf(row) && (
						<span class="row-to">
							<Text of={recipientOf(row)} />
						</span>
					)}
					<span class={`outcome ${toneOf(row)}`}>{outcomeNames[row.outcome]}</span>
				</div>
			</div>
		</div>
	);
}

function Badge({ row }: { row: Row }) {
	return (
		<span class={`badge ${row.channel ?? 'unknown'}`}>
			<Icon name={channelIcon(row.channel)} />
		</span>
	);
}

/** The time that is meant, with its day where another one begins. */
function Due({ row: { schedule }, previous, nowMs }: Pick<Props, 'row' | 'previous' | 'nowMs'>) {
	if (!('atMs' in schedule))
		return <span class="due">{schedule.kind === 'unread' && <Text of={schedule.written} />}</span>;
	const isNewDay =
		!previous ||
		!('atMs' in previous.schedule) ||
		dayOf(previous.schedule.atMs) !== dayOf(schedule.atMs);
	return (
		<span class="due">
			{isNewDay && <span class="due-day">{dayFrom(schedule.atMs, nowMs)}</span>}
			<span class="due-time">{hourOf(schedule.atMs)}</span>
		</span>
	);
}
