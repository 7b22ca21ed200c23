import { useState } from 'preact/hooks';
import type { Fault } from '../../../faults';
import type { Api, Platform } from '../../../terms';
import { Choice } from '../Choice';
import { channelNames, faultNames, platformNames } from '../words';
import { NumberField } from './NumberField';

type Kind = Fault['kind'];

/** Nothing is switched on while one of the fields is wrong. */
export function NewFault({ onAdd }: { onAdd: (fault: Fault) => void }) {
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
	const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const form = event.currentTarget;
		// Each wrong field shows its own reason.
		if (form.checkValidity()) add();
		else form.querySelector<HTMLElement>('input:invalid')?.focus();
	};
	return (
		<form class="new-fault" noValidate aria-label="New fault" onSubmit={submit}>
			<Choice
				label="What goes wrong"
				value={kind}
				options={faultNames}
				onChoose={(chosen) => setKind(chosen || 'status')}
			/>
			<div class="fields">
				<Choice
					label="Channel of the fault"
					all="All channels"
					value={channel}
					options={channelNames}
					onChoose={setChannel}
				/>
				<Choice
					label="Platform of the fault"
					all="All platforms"
					value={platform}
					options={platformNames}
					onChoose={setPlatform}
				/>
				{kind.startsWith('status') && (
					<NumberField
						isInForm
						label="Status"
						min={200}
						max={599}
						value={status}
						onChange={setStatus}
					/>
				)}
				{kind === 'delay' && (
					<NumberField
						isInForm
						label="Milliseconds late"
						min={0}
						value={delayMs}
						onChange={setDelayMs}
					/>
				)}
				<NumberField isInForm label="Times (0: always)" min={0} value={first} onChange={setFirst} />
			</div>
			<button type="submit" class="primary">
				Switch on
			</button>
		</form>
	);
}
