import type { ComponentChildren } from 'preact';
import type { Row } from '../row';
import { channelIcon, Icon } from './Icon';
import { Text } from './Text';
import { briefly, dayFrom, dayOf, hourOf } from './times';
import { kindOf, outcomeOf, recipientOf, toneOf } from './words';

interface Place {
	row: Row;
	index: number;
	count: number;
	/** Pixels from the top. */
	start: number;
	isActive: boolean;
	onOpen: (seq: number) => void;
}

interface Props extends Place {
	/** The one above it. */
	previous: Row | undefined;
	nowMs: number;
	isTimeLine: boolean;
	/** Whether it is the first one that is still to be sent. */
	isNext: boolean;
}

export function ListRow(props: Props) {
	const { row, previous, nowMs, isTimeLine, isNext } = props;
	return (
		<Option {...props} isNext={isNext}>
			{isTimeLine ? <Due {...{ row, previous, nowMs }} /> : <Badge row={row} />}
			{isNext && <span class="now-mark">now</span>}
			<div class="row-words">
				<div class="row-head">
					<strong class="row-title">
						<Text of={row.title || 'Without a title'} />
					</strong>
					<time class="row-time">
						{isTimeLine && 'arrived '}
						{briefly(row.time, nowMs)}
					</time>
				</div>
				<div class="row-text">
					{!isTimeLine && row.schedule.kind !== 'now' && (
						<span class="row-scheduled">
							<Icon name="clock" />
							{scheduledFor(row.schedule, nowMs)}
						</span>
					)}
					<Text of={row.text} />
				</div>
				<div class="row-foot">
					<span>{kindOf(row)}</span>
					{recipientOf(row) && (
						<span class="row-to">
							<Text of={recipientOf(row)} />
						</span>
					)}
					<span class={`outcome ${toneOf(row)}`}>{outcomeOf(row)}</span>
				</div>
			</div>
		</Option>
	);
}

/** Takes the place of a row that failed, so that the others do not move. */
export function UnshownRow(place: Place) {
	return (
		<Option {...place}>
			<div class="row-words">Message {place.row.seq} cannot be shown here.</div>
		</Option>
	);
}

function Option({
	row,
	index,
	count,
	start,
	isActive,
	isNext = false,
	onOpen,
	children,
}: Place & { isNext?: boolean; children: ComponentChildren }) {
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
			{children}
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

/** The time at which it is to be sent, with its day at the first message of the day. */
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

function scheduledFor(schedule: Row['schedule'], nowMs: number): string {
	return 'atMs' in schedule
		? `for ${dayFrom(schedule.atMs, nowMs)}, ${hourOf(schedule.atMs)}`
		: 'scheduled';
}
