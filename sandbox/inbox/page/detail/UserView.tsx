import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toText } from '../../../json';
import type { Person } from '../../person';
import type { Row } from '../../row';
import { Text } from '../Text';
import { fetchPerson } from '../requests';
import { dateTime, zone } from '../times';
import { describeKind, describeOutcome, chooseTone } from '../words';
import { Fact } from './DetailView';

interface Props {
	userID: string;
	/** Changes with each arrival, so that what is new is fetched. */
	total: number;
	onOpen: (seq: number) => void;
	onBack: () => void;
}

/** Everything about one user: created, scheduled, messages and events. */
export function UserView({ userID, total, onOpen, onBack }: Props) {
	const [person, setPerson] = useState<Person>();
	useEffect(() => {
		const leaving = new AbortController();
		fetchPerson(userID, leaving.signal).then(setPerson, () => undefined);
		return () => leaving.abort();
	}, [userID, total]);
	const isLoaded = person?.userID === userID;
	const title = useRef<HTMLHeadingElement>(null);
	// The button that had the focus has gone with the message.
	useEffect(() => title.current?.focus(), [isLoaded, userID]);
	if (!isLoaded) return <p class="nothing">…</p>;

	const { created, attributes, events, messages } = person;
	const isScheduled = ({ accepted, schedule }: Row) => accepted && schedule.kind !== 'now';
	return (
		<article class="detail" aria-label={`User ${userID}`}>
			<header class="detail-head">
				<div class="detail-kind">User</div>
				<h2 class="detail-title" ref={title} tabIndex={-1}>
					<Text of={userID} />
				</h2>
				<button type="button" class="quiet" onClick={onBack}>
					Back to the message
				</button>
			</header>
			<Part title="Created" isEmpty={!created} nothing="Nobody has created this user here.">
				<dl class="facts">
					{created && <Fact name="First created" value={dateTime(created.time)} />}
					{Object.entries(attributes).map(([name, value]) => (
						<Fact key={name} name={name} value={toText(value)} />
					))}
				</dl>
			</Part>
			<Messages title="Scheduled" rows={messages.filter(isScheduled)} onOpen={onOpen} />
			<Messages
				title="Messages"
				rows={messages.filter((row) => !isScheduled(row))}
				onOpen={onOpen}
			/>
			<Part title="Events" isEmpty={events.length === 0}>
				<ol class="timeline">
					{events.map(({ name, atMs, written, seq }, index) => (
						<li key={index} class="is-own">
							<span class="event-time">
								{atMs === null ? <Text of={written} /> : dateTime(atMs)}
							</span>
							<button type="button" class="user-link" onClick={() => onOpen(seq)}>
								<Text of={name || 'Without a name'} />
							</button>
						</li>
					))}
				</ol>
			</Part>
			<p class="muted">
				Times in {zone}. Broadcasts are not listed, because only the service knows whom they reach.
			</p>
		</article>
	);
}

interface MessagesProps {
	title: string;
	rows: Row[];
	onOpen: (seq: number) => void;
}

function Messages({ title, rows, onOpen }: MessagesProps) {
	return (
		<Part title={title} isEmpty={rows.length === 0}>
			<ol class="timeline">
				{rows.map((row) => (
					<li key={row.seq} class="is-own">
						<span class="event-time">
							{dateTime('atMs' in row.schedule ? row.schedule.atMs : row.time)}
						</span>
						<div>
							<button type="button" class="user-link" onClick={() => onOpen(row.seq)}>
								<Text of={row.title || 'Without a title'} />
							</button>{' '}
							<span class="muted">{describeKind(row)}</span>{' '}
							<span class={`outcome ${chooseTone(row)}`}>{describeOutcome(row)}</span>
						</div>
					</li>
				))}
			</ol>
		</Part>
	);
}

interface PartProps {
	title: string;
	isEmpty: boolean;
	nothing?: string;
	children: ComponentChildren;
}

function Part({ title, isEmpty, nothing = 'None.', children }: PartProps) {
	return (
		<section class="of-user" aria-label={title}>
			<h3>{title}</h3>
			{isEmpty ? <p class="muted">{nothing}</p> : children}
		</section>
	);
}
