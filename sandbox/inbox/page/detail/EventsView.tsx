import { toText } from '../../../json';
import { isObject, type JsonObject } from '../../../terms';
import type { Detail } from '../../detail';
import { byTime, eventInBrief, type EventInBrief } from '../../events';
import { Text } from '../Text';
import { dateTime, zone } from '../times';

const mostEvents = 200;
const known = ['userID', 'event_name', 'event_time', 'attributes'];

interface Entry extends EventInBrief {
	isRefused: boolean;
	values: Array<[string, unknown]>;
	/** The request that brought it, if it is not the one that is shown. */
	seq?: number;
}

/** A timeline for each user: the events of this request, among those of other requests. */
export function EventsView({ list, detail }: { list: unknown[]; detail: Detail }) {
	const own = list.slice(0, mostEvents).map((element, index): Entry => {
		const isRefused = detail.problems.some(({ path }) => isAt(index, path));
		return { ...eventInBrief(element, detail.time), isRefused, values: listValues(element) };
	});
	const others = detail.otherEvents.map((event) => ({ ...event, isRefused: false, values: [] }));
	const users = [...new Set(own.map(({ userID }) => userID))];
	return (
		<figure class="events" tabIndex={0} aria-label="Events of each user">
			{users.map((userID) => (
				<section key={userID}>
					<h3>
						<Text of={userID || 'Without a user ID'} />
					</h3>
					<ol class="timeline">
						{[...own, ...others]
							.filter((entry) => entry.userID === userID)
							.sort(byTime)
							.map((entry, index) => (
								<TimelineEntry key={index} entry={entry} />
							))}
					</ol>
				</section>
			))}
			<figcaption>
				Times in {zone}. The times of events name no zone and are read as UTC.
				{list.length > mostEvents &&
					` ${(list.length - mostEvents).toLocaleString()} more events are in the request below.`}
			</figcaption>
		</figure>
	);
}

function TimelineEntry({ entry }: { entry: Entry }) {
	const { name, atMs, written, isRefused, values, seq } = entry;
	return (
		<li class={`${seq === undefined ? 'is-own' : ''}${isRefused ? ' is-refused' : ''}`}>
			<span class="event-time">{atMs === null ? <Text of={written} /> : dateTime(atMs)}</span>
			<div>
				<strong>
					<Text of={name || 'Without a name'} />
				</strong>{' '}
				{isRefused && <span class="outcome bad">Refused</span>}
				{seq !== undefined && <span class="muted">in #{seq}</span>}
				{values.length > 0 && (
					<div>
						{values.map(([key, value]) => (
							<span key={key} class="attribute">
								<Text of={`${key}: ${toText(value)}`} />
							</span>
						))}
					</div>
				)}
			</div>
		</li>
	);
}

/** The attributes, and everything else that the timeline has no place for. */
function listValues(element: unknown): Entry['values'] {
	if (!isObject(element)) return [];
	const attributes: JsonObject = isObject(element.attributes) ? element.attributes : {};
	const rest = Object.entries(element).filter(([key]) => !known.includes(key));
	return [...Object.entries(attributes), ...rest];
}

function isAt(index: number, path: string): boolean {
	return path === `nv[${index}]` || path.startsWith(`nv[${index}].`);
}
