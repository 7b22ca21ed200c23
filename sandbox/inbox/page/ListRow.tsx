import type { ComponentChildren } from 'preact';
import type { Row } from '../row';
import type { Entry } from './entries';
import { channelIcon, Icon } from './Icon';
import { Text } from './Text';
import { briefly, dayFrom, formatDay, formatHour } from './times';
import {
	counted,
	describeKind,
	platformNames,
	describeRecipient,
	chooseTone,
	describeAll,
} from './words';

interface Place {
	entry: Entry;
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
	const { entry, previous, nowMs, isTimeLine, isNext } = props;
	const [row] = entry.parts;
	const outcome = describeAll(entry.parts);
	return (
		<Option {...props} isNext={isNext}>
			{isTimeLine ? <Due {...{ row, previous, nowMs, isNext }} /> : <Badge row={row} />}
			<div class="row-words">
				<div class="row-head">
					<strong class="row-title">
						<Text of={row.title || 'Without a title'} />
						{row.check && entry.parts.length > 1 && (
							<span class="muted"> {counted(entry.parts.length, 'time')}</span>
						)}
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
					{row.platform && entry.parts.length > 1 ? (
						<Platforms entry={entry} />
					) : (
						<span>{describeKind(row)}</span>
					)}
					{describeRecipient(row) && (
						<span class={`row-to audience ${row.audience}`}>
							<Text of={describeRecipient(row)} />
						</span>
					)}
					<span class={`outcome ${outcome.tone}`}>{outcome.words}</span>
				</div>
			</div>
		</Option>
	);
}

/** A chip for each platform of a campaign, in the colour of its outcome. */
function Platforms({ entry: { parts } }: { entry: Entry }) {
	return (
		<span class="chips">
			{parts.map(
				(part) =>
					part.platform && (
						<span key={part.seq} class={`chip ${chooseTone(part)}`}>
							{platformNames[part.platform]}
						</span>
					),
			)}
		</span>
	);
}

/** Takes the place of a row that failed, so that the others do not move. */
export function UnshownRow(place: Place) {
	return (
		<Option {...place}>
			<div class="row-words">Message {place.entry.id} cannot be shown here.</div>
		</Option>
	);
}

function Option({
	entry: { id },
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
			id={`row-${id}`}
			class={`row${isNext ? ' is-next' : ''}`}
			role="option"
			aria-selected={isActive}
			aria-setsize={count}
			aria-posinset={index + 1}
			style={{ transform: `translateY(${start}px)` }}
			onClick={() => onOpen(id)}
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
function Due({
	row: { schedule },
	previous,
	nowMs,
	isNext,
}: Pick<Props, 'previous' | 'nowMs' | 'isNext'> & { row: Row }) {
	if (!('atMs' in schedule))
		return <span class="due">{schedule.kind === 'unread' && <Text of={schedule.written} />}</span>;
	const isNewDay =
		!previous ||
		!('atMs' in previous.schedule) ||
		formatDay(previous.schedule.atMs) !== formatDay(schedule.atMs);
	return (
		<span class="due">
			{isNewDay && <span class="due-day">{dayFrom(schedule.atMs, nowMs)}</span>}
			<span class="due-time">{formatHour(schedule.atMs)}</span>
			{isNext && <span class="next-mark">next</span>}
		</span>
	);
}

function scheduledFor(schedule: Row['schedule'], nowMs: number): string {
	return 'atMs' in schedule
		? `for ${dayFrom(schedule.atMs, nowMs)}, ${formatHour(schedule.atMs)}`
		: 'scheduled';
}
