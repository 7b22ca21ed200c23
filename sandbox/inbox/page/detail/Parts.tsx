import type { Entry } from '../entries';
import { briefly } from '../times';
import { describeOutcome, platformNames, chooseTone } from '../words';

interface Props {
	entry: Entry;
	activeSeq: number | undefined;
	nowMs: number;
	onSelect: (seq: number) => void;
}

/** Chooses among arrivals that the list shows as one: the platforms of a campaign, or repeated tests. */
export function Parts({ entry, activeSeq, nowMs, onSelect }: Props) {
	return (
		<div class="parts" role="group" aria-label="Arrivals of this entry">
			{entry.parts.map((part) => (
				<button
					key={part.seq}
					type="button"
					class="quiet"
					aria-pressed={part.seq === activeSeq}
					onClick={() => onSelect(part.seq)}
				>
					{part.platform ? platformNames[part.platform] : briefly(part.time, nowMs)}
					<span class={`outcome ${chooseTone(part)}`}>{describeOutcome(part)}</span>
				</button>
			))}
		</div>
	);
}
