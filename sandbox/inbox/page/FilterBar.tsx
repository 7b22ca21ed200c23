import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { maxSearched } from '../limits';
import { Choice } from './Choice';
import { isFiltering, type Filter } from './filter';
import { Icon } from './Icon';
import { audienceNames, channelNames, outcomeNames, platformNames } from './words';

interface Props {
	filter: Filter;
	isTimeLine: boolean;
	messages: number;
	found: number;
	planned: number;
	total: number;
	search: RefObject<HTMLInputElement | null>;
	onFilter: (filter: Filter) => void;
	onTimeLine: (isTimeLine: boolean) => void;
}

const faultOutcomes = Object.fromEntries(
	Object.entries(outcomeNames).filter(([name]) => name.startsWith('fault:')),
);
const plainOutcomes = Object.fromEntries(
	Object.entries(outcomeNames).filter(([name]) => !name.startsWith('fault:')),
);
const outcomes = { ...plainOutcomes, fault: 'Any fault', ...faultOutcomes };

export function FilterBar({
	filter,
	isTimeLine,
	messages,
	found,
	planned,
	total,
	search,
	onFilter,
	onTimeLine,
}: Props) {
	const [said, say] = useState('');
	// Only when the filter changes, and not with each message that arrives.
	useEffect(
		() =>
			say(
				isFiltering(filter) ? `${found.toLocaleString()} of ${total.toLocaleString()} match` : '',
			),
		[filter],
	);
	const set = (part: Partial<Filter>) => onFilter({ ...filter, ...part });
	return (
		<div class="filter-bar">
			<div class="views" role="group" aria-label="View">
				<button type="button" aria-pressed={!isTimeLine} onClick={() => onTimeLine(false)}>
					<Icon name="inbox" />
					Messages <span class="count">{messages.toLocaleString()}</span>
				</button>
				<button type="button" aria-pressed={isTimeLine} onClick={() => onTimeLine(true)}>
					<Icon name="clock" />
					Scheduled <span class="count">{planned.toLocaleString()}</span>
				</button>
			</div>
			<input
				ref={search}
				type="search"
				aria-label="Search"
				placeholder="Search"
				title={`Looks through the first ${maxSearched.toLocaleString()} characters of each message`}
				value={filter.query}
				onInput={({ currentTarget }) => set({ query: currentTarget.value })}
			/>
			<div class="filters" role="group" aria-label="Filters">
				<Choice
					label="Channel"
					all="All channels"
					value={filter.channel}
					options={channelNames}
					onChoose={(channel) => set({ channel })}
				/>
				<Choice
					label="Platform"
					all="All platforms"
					value={filter.platform}
					options={platformNames}
					onChoose={(platform) => set({ platform })}
				/>
				<Choice
					label="Audience"
					all="Any audience"
					value={filter.audience}
					options={audienceNames}
					onChoose={(audience) => set({ audience })}
				/>
				<Choice
					label="Outcome"
					all="Any outcome"
					value={filter.outcome}
					options={outcomes}
					onChoose={(outcome) => set({ outcome })}
				/>
				<Choice
					label="Checks of the service"
					all="Without checks"
					value={filter.checks}
					options={{ shown: 'With checks' }}
					onChoose={(checks) => set({ checks })}
				/>
			</div>
			<p class="unseen" role="status">
				{said}
			</p>
		</div>
	);
}
