import type { Row } from '../row';
import { channelIcon, Icon } from './Icon';
import { Text } from './Text';
import { briefly, dayFrom, formatHour } from './times';
import { chooseTone, describeKind, describeOutcome, describeRecipient } from './words';

export function ListRow({ row, nowMs }: { row: Row; nowMs: number }) {
	return (
		<>
			<span class={`badge ${row.channel ?? 'unknown'}`}>
				<Icon name={channelIcon(row.channel)} />
			</span>
			<div class="row-words">
				<div class="row-head">
					<strong class="row-title">
						<Text of={row.title || 'Without a title'} />
					</strong>
					<time class="row-time">{briefly(row.time, nowMs)}</time>
				</div>
				<div class="row-text">
					{row.schedule.kind !== 'now' && (
						<span class="row-scheduled">
							<Icon name="clock" />
							{scheduledFor(row.schedule, nowMs)}
						</span>
					)}
					<Text of={row.text} />
				</div>
				<div class="row-foot">
					<span>{describeKind(row)}</span>
					{describeRecipient(row) && (
						<span class={`row-to audience ${row.audience}`}>
							<Text of={describeRecipient(row)} />
						</span>
					)}
					<span class={`outcome ${chooseTone(row)}`}>{describeOutcome(row)}</span>
				</div>
			</div>
		</>
	);
}

function scheduledFor(schedule: Row['schedule'], nowMs: number): string {
	return 'atMs' in schedule
		? `for ${dayFrom(schedule.atMs, nowMs)}, ${formatHour(schedule.atMs)}`
		: 'scheduled';
}
