import { useState } from 'preact/hooks';
import type { Fault } from '../../../faults';
import { NumberField } from './NumberField';

/** Plays an outage: everything is answered 503 for a while. */
export function TakeDown({ onAdd }: { onAdd: (fault: Fault) => void }) {
	const [seconds, setSeconds] = useState(20);
	const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
		event.preventDefault();
		const form = event.currentTarget;
		if (form.checkValidity()) onAdd({ kind: 'status', status: 503, forMs: seconds * 1000 });
		else form.querySelector<HTMLElement>('input:invalid')?.focus();
	};
	return (
		<form class="new-fault" noValidate aria-label="The service is down" onSubmit={submit}>
			<div class="fields">
				<NumberField
					isInForm
					label="Seconds down (503)"
					min={1}
					max={3600}
					value={seconds}
					onChange={setSeconds}
				/>
			</div>
			<button type="submit" class="primary">
				Take the service down
			</button>
		</form>
	);
}
