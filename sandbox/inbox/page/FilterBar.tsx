import type { RefObject } from 'preact';
import { maxSearched } from '../limits';
import { Choice } from './Choice';
import { isFiltering, type Filter } from './filter';
import { Icon } from './Icon';
import { audienceNames, channelNames, outcomeNames, platformNames } from './words';

interface Props {
	filter: Filter;
	isScheduled: boolean;
	found: number;
	planned: number;
	total: number;
	search: RefObject<HTMLInputElement | null>;
	onFilter: (filter: Filter) => void;
	onScheduled: (isScheduled: boolean) => void;
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
	isScheduled,
	found,
	planned,
	total,
	search,
	onFilter,
	onScheduled,
}: Props) {
	const set = (part: Partial<Filter>) => onFilter({ ...filter, ...part });
	return (
		<div class="filter-bar">
			<div class="views" role="group" aria-label="View">
				<button type="button" aria-pressed={!isScheduled} onClick={() => onScheduled(false)}>
					<Icon name="inbox" />
					Messages <span class="count">{found.toLocaleString()}</span>
				</button>
				<button type="button" aria-pressed={isScheduled} onClick={() => onScheduled(true)}>
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
				{isFiltering(filter) && `${found.toLocaleString()} of ${total.toLocaleString()} match`}
			</p>
		</div>
	);
}
