import { useState } from 'preact/hooks';
import type { Fault } from '../../../faults';
import type { Api, Platform } from '../../../terms';
import { Choice } from '../Choice';
import { channelNames, faultNames, platformNames, statusNames } from '../words';
import { NumberField } from './NumberField';

type Kind = Fault['kind'];

/** Besides the kinds, two errors by their names. */
const choices: Record<string, string> = {
	...faultNames,
	...Object.fromEntries(Object.entries(statusNames).map(([key, { name }]) => [key, name])),
};

/** Nothing is switched on while one of the fields is wrong. */
export function NewFault({ onAdd }: { onAdd: (fault: Fault) => void }) {
	const [choice, setChoice] = useState('status');
	const [redirectTo, setRedirectTo] = useState('');
	const [channel, setChannel] = useState<Api | ''>('');
	const [platform, setPlatform] = useState<Platform | ''>('');
	const [status, setStatus] = useState(503);
	const [delayMs, setDelayMs] = useState(3000);
	const [first, setFirst] = useState(0);

	const named = statusNames[choice]?.status;
	const kind = named === undefined ? (choice as Kind) : 'status';
	const add = () => {
		const match = { ...(channel && { channel }), ...(platform && { platform }) };
		const common = { ...(Object.keys(match).length > 0 && { match }), ...(first > 0 && { first }) };
		if (kind === 'status' || kind === 'statusAfterAccept')
			onAdd({ kind, status: named ?? status, ...common });
		else if (kind === 'redirect') onAdd({ kind, ...(redirectTo && { to: redirectTo }), ...common });
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
				value={choice}
				options={choices}
				onChoose={(chosen) => setChoice(chosen || 'status')}
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
				{kind.startsWith('status') && named === undefined && (
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
				{kind === 'redirect' && (
					<div class="field">
						<label>
							Leads to (empty: a slash more)
							<input
								value={redirectTo}
								onInput={({ currentTarget }) => setRedirectTo(currentTarget.value)}
							/>
						</label>
					</div>
				)}
				<NumberField isInForm label="Times (0: always)" min={0} value={first} onChange={setFirst} />
			</div>
			<button type="submit" class="primary">
				Switch on
			</button>
		</form>
	);
}
