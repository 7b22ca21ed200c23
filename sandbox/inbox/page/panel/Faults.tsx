import { useRef } from 'preact/hooks';
import type { Fault, ListedFault } from '../../../faults';
import type { State } from '../../stream';
import { addFault, removeFault } from '../requests';
import { useConfirmed } from '../useConfirmed';
import { channelNames, counted, faultNames, platformNames } from '../words';
import { NewFault } from './NewFault';
import { TakeDown } from './TakeDown';

type Change = { add: Fault } | { removeId: number };

const server = {
	/** A new fault is listed once the server has given it its number. */
	apply: (faults: ListedFault[], change: Change) =>
		'add' in change ? faults : faults.filter(({ id }) => id !== change.removeId),
	send: async (change: Change) =>
		await ('add' in change ? addFault(change.add) : removeFault(change.removeId)),
};

/** What goes wrong, switched on and off. */
export function Faults({ faults, lastChange }: Pick<State, 'faults' | 'lastChange'>) {
	const { shown, attempt, reason } = useConfirmed({ value: faults, lastChange }, server);
	const title = useRef<HTMLHeadingElement>(null);

	const switchOff = (id: number, button: HTMLElement) => {
		// The button goes away with its line, so the focus moves on first.
		const line = button.closest('li');
		const neighbour = line?.nextElementSibling ?? line?.previousElementSibling;
		(neighbour?.querySelector('button') ?? title.current)?.focus();
		attempt({ removeId: id });
	};
	return (
		<section aria-labelledby="faults-title">
			<h2 id="faults-title" ref={title} tabIndex={-1}>
				Faults
			</h2>
			{shown.length === 0 ? <p class="muted">None: the service responds as it should.</p> : null}
			<ul class="faults">
				{shown.map((fault) => (
					<li key={fault.id} class={isUsedUp(fault) ? 'is-used-up' : ''}>
						<span>
							{faultNames[fault.kind]}
							<small>
								{[
									conditions(fault),
									`applied ${counted(fault.struck, 'time')}`,
									isUsedUp(fault) && 'used up',
								]
									.filter(Boolean)
									.join(', ')}
							</small>
						</span>
						<button
							type="button"
							class="quiet"
							aria-label={`Switch off: ${faultNames[fault.kind]}`}
							onClick={({ currentTarget }) => switchOff(fault.id, currentTarget)}
						>
							Switch off
						</button>
					</li>
				))}
			</ul>
			<TakeDown onAdd={(fault) => attempt({ add: fault })} />
			<NewFault onAdd={(fault) => attempt({ add: fault })} />
			<p class="problem" role="alert">
				{reason}
			</p>
		</section>
	);
}

/** Whether it has let pass all the requests that it could apply to. */
function isUsedUp({ matched, after = 0, first = Infinity }: ListedFault): boolean {
	return matched >= after + first;
}

function conditions({ match, first, endsAtMs, ...fault }: ListedFault): string {
	return [
		'status' in fault && String(fault.status),
		'delayMs' in fault && `${fault.delayMs} ms`,
		match?.channel && channelNames[match.channel],
		match?.platform && platformNames[match.platform],
		match?.path,
		match?.bodyText && `with “${match.bodyText.slice(0, 40)}”`,
		first && `the first ${first}`,
		endsAtMs && `until ${new Date(endsAtMs).toLocaleTimeString()}`,
	]
		.filter(Boolean)
		.join(', ');
}
