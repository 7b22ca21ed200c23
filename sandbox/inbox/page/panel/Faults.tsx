import { useState } from 'preact/hooks';
import type { Fault, ListedFault } from '../../../faults';
import type { Api, Platform } from '../../../terms';
import { Choice } from '../Choice';
import { addFault, removeFault } from '../requests';
import { channelNames, counted, faultNames, platformNames } from '../words';
import { NumberField } from './NumberField';

type Kind = Fault['kind'];

/** What goes wrong, switched on and off. */
export function Faults({ faults }: { faults: ListedFault[] }) {
	const [problem, setProblem] = useState('');
	const attempt = (work: Promise<unknown>) =>
		void work.then(
			() => setProblem(''),
			(error: Error) => setProblem(error.message),
		);
	return (
		<section aria-labelledby="faults-title">
			<h2 id="faults-title">Faults</h2>
			{faults.length === 0 ? <p class="muted">None: the service answers as it should.</p> : null}
			<ul class="faults">
				{faults.map((fault) => (
					<li key={fault.id}>
						<span>
							{faultNames[fault.kind]}
							<small>{[conditions(fault), `struck ${counted(fault.struck, 'time')}`].filter(Boolean).join(', ')}</small>
						</span>
						<button type="button" class="quiet" aria-label={`Switch off: ${faultNames[fault.kind]}`} onClick={() => attempt(removeFault(fault.id))}>
							Switch off
						</button>
					</li>
				))}
			</ul>
			<NewFault onAdd={(fault) => attempt(addFault(fault))} />
			<p class="problem" role="alert">
				{problem}
			</p>
		</section>
	);
}

function NewFault({ onAdd }: { onAdd: (fault: Fault) => void }) {
	const [kind, setKind] = useState<Kind>('status');
	const [channel, setChannel] = useState<Api | ''>('');
	const [platform, setPlatform] = useState<Platform | ''>('');
	const [status, setStatus] = useState(503);
	const [delayMs, setDelayMs] = useState(3000);
	const [first, setFirst] = useState(0);

	const add = () => {
		const match = { ...(channel && { channel }), ...(platform && { platform }) };
		const common = { ...(Object.keys(match).length > 0 && { match }), ...(first > 0 && { first }) };
		if (kind === 'status' || kind === 'statusAfterAccept') onAdd({ kind, status, ...common });
		else if (kind === 'delay') onAdd({ kind, delayMs, ...common });
		else onAdd({ kind, ...common });
	};
	return (
		<div class="new-fault" role="group" aria-label="New fault">
			<Choice label="What goes wrong" value={kind} options={faultNames} onChoose={(chosen) => setKind(chosen || 'status')} />
			<div class="fields">
				<Choice label="Channel of the fault" all="All channels" value={channel} options={channelNames} onChoose={setChannel} />
				<Choice label="Platform of the fault" all="All platforms" value={platform} options={platformNames} onChoose={setPlatform} />
				{kind.startsWith('status') && <NumberField label="Status" min={200} max={599} value={status} onChange={setStatus} />}
				{kind === 'delay' && <NumberField label="Milliseconds late" min={0} value={delayMs} onChange={setDelayMs} />}
				<NumberField label="Times (0: always)" min={0} value={first} onChange={setFirst} />
			</div>
			<button type="button" class="primary" onClick={add}>
				Switch on
			</button>
		</div>
	);
}

function conditions({ match, first, ...fault }: ListedFault): string {
	return [
		'status' in fault && String(fault.status),
		'delayMs' in fault && `${fault.delayMs} ms`,
		match?.channel && channelNames[match.channel],
		match?.platform && platformNames[match.platform],
		match?.path,
		match?.bodyText && `with “${match.bodyText.slice(0, 40)}”`,
		first && `the first ${first}`,
	]
		.filter(Boolean)
		.join(', ');
}
