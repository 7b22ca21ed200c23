import { useEffect, useMemo, useState } from 'preact/hooks';
import { readExactJson } from '../../../json';
import type { Problem } from '../../../terms';
import { Text } from '../Text';
import { toRow, type Unparsed } from '../../row';
import { fetchDetail } from '../requests';
import { dateTime, zone } from '../times';
import { describeKind, describeOutcome, describeRecipient, chooseTone } from '../words';
import { Exchange } from './Exchange';
import { Question } from './Question';
import { Rendering } from './Rendering';

/** Everything about one arrival, fetched when it is selected. */
export function DetailView({ seq }: { seq: number }) {
	const [detail, setDetail] = useState<Unparsed | 'gone'>();
	useEffect(() => {
		const leaving = new AbortController();
		fetchDetail(seq, leaving.signal).then(
			(found) => setDetail(found ?? 'gone'),
			() => undefined,
		);
		return () => leaving.abort();
	}, [seq]);

	if (detail === 'gone') return <p class="nothing">The sandbox no longer holds this message.</p>;
	if (!detail) return <p class="nothing">…</p>;

	return <Shown detail={detail} />;
}

function Shown({ detail }: { detail: Unparsed }) {
	const { seq, rawBody } = detail;
	const body = useMemo(() => {
		const read = readExactJson(rawBody);
		return 'value' in read ? read.value : undefined;
	}, [rawBody]);
	const row = useMemo(() => toRow(detail), [detail]);
	return (
		<article class="detail" aria-label={row.title}>
			<header class="detail-head">
				<div class="detail-kind">
					<span>{describeKind(row)}</span>
					<span class={`outcome ${chooseTone(row)}`}>{describeOutcome(row)}</span>
					<span class="muted">#{seq}</span>
				</div>
				<h2 class="detail-title">
					<Text of={row.title || 'Without a title'} />
				</h2>
			</header>
			<dl class="facts">
				{describeRecipient(row) && (
					<Fact name="For" value={describeRecipient(row)} class={`audience ${row.audience}`} />
				)}
				<Fact name="Arrived" value={`${dateTime(row.time)} (${zone})`} />
				{'atMs' in row.schedule && (
					<Fact name="Scheduled" value={`${dateTime(row.schedule.atMs)} (${zone})`} />
				)}
				{row.schedule.kind === 'delay' && <Fact name="Delay" value={`${row.schedule.seconds} s`} />}
				{row.schedule.kind === 'unread' && (
					<Fact name="Scheduled, as written" value={row.schedule.written} />
				)}
			</dl>
			{row.check ? (
				<p>{checkTexts[row.check]}</p>
			) : (
				<>
					{detail.problems.length > 0 && <Problems problems={detail.problems} />}
					<Question body={body} />
					<Rendering {...{ detail, body, row }} />
				</>
			)}
			<Exchange detail={detail} />
		</article>
	);
}

const checkTexts = {
	credential:
		'To test a credential, the node sends an empty list of users. The service refuses the list only if it has accepted the credential.',
	service:
		'To test an address, or to see whether a failing service is back, the node sends an empty request. The service refuses it, so nobody gets a message.',
};

interface FactProps {
	name: string;
	value: string;
	class?: string;
}

function Fact({ name, value, class: ofValue }: FactProps) {
	return (
		<div class="fact">
			<dt>{name}</dt>
			<dd>
				<span class={ofValue}>
					<Text of={value} />
				</span>
			</dd>
		</div>
	);
}

const mostProblems = 50;

function Problems({ problems }: { problems: Problem[] }) {
	return (
		<div class="problems">
			<h3>Why it was refused</h3>
			<ul>
				{problems.slice(0, mostProblems).map(({ path, rule }) => (
					<li key={path}>
						<strong>
							<Text of={path || 'The body'} />
						</strong>{' '}
						{rule}
					</li>
				))}
			</ul>
			{problems.length > mostProblems && (
				<p>and {problems.length - mostProblems} more, in the response below</p>
			)}
		</div>
	);
}
