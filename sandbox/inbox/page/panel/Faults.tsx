import { useRef, useState } from 'preact/hooks';
import type { Fault, ListedFault } from '../../../faults';
import type { Api } from '../../../terms';
import { Choice } from '../Choice';
import { addFault, removeFault } from '../requests';
import { useAttempt } from '../useAttempt';
import { channelNames, counted, faultNames, platformNames } from '../words';

/** What goes wrong, switched on and off. */
export function Faults({ faults }: { faults: ListedFault[] }) {
	const { attempt, reason } = useAttempt();
	const title = useRef<HTMLHeadingElement>(null);

	const switchOff = (id: number) => {
		// The button goes away with its line, so the focus moves on first.
		title.current?.focus();
		attempt(removeFault(id));
	};
	return (
		<section aria-labelledby="faults-title">
			<h2 id="faults-title" ref={title} tabIndex={-1}>
				Faults
			</h2>
			{faults.length === 0 && <p class="muted">None: the service responds as it should.</p>}
			<ul class="faults">
				{faults.map((fault) => (
					<li key={fault.id}>
						<span>
							{faultNames[fault.kind]}
							<small>
								{[...conditions(fault), `applied ${counted(fault.struck, 'time')}`].join(', ')}
							</small>
						</span>
						<button
							type="button"
							class="quiet"
							aria-label={`Switch off: ${faultNames[fault.kind]}`}
							onClick={() => switchOff(fault.id)}
						>
							Switch off
						</button>
					</li>
				))}
			</ul>
			<NewFault onAdd={(fault) => attempt(addFault(fault))} />
			<p class="problem" role="alert">
				{reason}
			</p>
		</section>
	);
}

function conditions({ match, first, endsAtMs, ...fault }: ListedFault): string[] {
	return [
		'status' in fault && String(fault.status),
		match?.channel && channelNames[match.channel],
		match?.platform && platformNames[match.platform],
		first && `the first ${first}`,
		endsAtMs && `until ${new Date(endsAtMs).toLocaleTimeString()}`,
	].filter((words) => typeof words === 'string');
}

const lateMs = 3000;

/** The most common ones. What else a fault can have is set over HTTP. */
function NewFault({ onAdd }: { onAdd: (fault: Fault) => void }) {
	const [kind, setKind] = useState<Fault['kind']>('status');
	const [channel, setChannel] = useState<Api | ''>('');
	const [status, setStatus] = useState('503');
	const [first, setFirst] = useState('0');

	const submit = (event: SubmitEvent) => {
		event.preventDefault();
		const common = {
			...(channel && { match: { channel } }),
			...(Number(first) > 0 && { first: Number(first) }),
		};
		if (kind === 'status' || kind === 'statusAfterAccept')
			onAdd({ kind, status: Number(status), ...common });
		else if (kind === 'delay') onAdd({ kind, delayMs: lateMs, ...common });
		else onAdd({ kind, ...common });
	};
	return (
		<form class="new-fault" aria-label="New fault" onSubmit={submit}>
			<Choice
				label="What goes wrong"
				value={kind}
				options={faultNames}
				onChoose={(chosen) => setKind(chosen || 'status')}
			/>
			<Choice
				label="Channel of the fault"
				all="All channels"
				value={channel}
				options={channelNames}
				onChoose={setChannel}
			/>
			<div class="fields">
				{kind.startsWith('status') && (
					<NumberField label="Status" min={200} max={599} value={status} onInput={setStatus} />
				)}
				<NumberField label="Times (0: always)" min={0} value={first} onInput={setFirst} />
			</div>
			<button type="submit" class="primary">
				Switch on
			</button>
		</form>
	);
}

interface NumberFieldProps {
	label: string;
	min: number;
	max?: number;
	value: string;
	onInput: (value: string) => void;
}

function NumberField({ label, min, max, value, onInput }: NumberFieldProps) {
	return (
		<label class="field">
			{label}
			<input
				type="number"
				required
				{...{ min, max, value }}
				onInput={({ currentTarget }) => onInput(currentTarget.value)}
			/>
		</label>
	);
}
