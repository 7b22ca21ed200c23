import { useRef } from 'preact/hooks';
import { Icon } from './Icon';
import type { Inbox } from './inbox';
import { emptyRecord } from './requests';
import { useAttempt } from './useAttempt';
import { counted } from './words';

interface Props {
	inbox: Inbox;
	isLive: boolean;
	isPanelShown: boolean;
	onTogglePanel: () => void;
}

export function Header({ inbox, isLive, isPanelShown, onTogglePanel }: Props) {
	const dialog = useRef<HTMLDialogElement>(null);
	const dropped = inbox.total - inbox.rows.length;
	const { attempt, reason } = useAttempt();
	const empty = () => attempt(emptyRecord().then(() => dialog.current?.close()));
	return (
		<header class="header">
			<span class="logo">
				<Icon name="inbox" />
			</span>
			<div class="header-words">
				<h1>Inbox</h1>
				<p class="header-note">Nothing here has reached anyone</p>
			</div>
			<p class={`live${isLive ? '' : ' is-off'}`} role="status">
				{isLive ? 'Live' : 'Connecting…'}
			</p>
			<p class="totals" role="status">
				{inbox.isComplete && <span>{counted(inbox.total, 'arrival')}</span>}
				{dropped > 0 && <span class="dropped">{dropped.toLocaleString()} oldest dropped</span>}
			</p>
			<div class="header-actions">
				<button type="button" class="quiet" aria-pressed={isPanelShown} onClick={onTogglePanel}>
					<Icon name="sliders" />
					<span class="button-words">Faults and scenes</span>
				</button>
				{/* A disabled button would lose the keyboard focus once the inbox is empty. */}
				<button
					type="button"
					class="quiet"
					aria-disabled={inbox.total === 0}
					onClick={() => inbox.total > 0 && dialog.current?.showModal()}
				>
					<Icon name="bin" />
					<span class="button-words">Empty</span>
				</button>
			</div>
			<dialog ref={dialog} aria-labelledby="empty-title">
				<h2 id="empty-title">Empty the inbox?</h2>
				<p>
					The sandbox forgets {counted(inbox.total, 'arrival')}. Faults and limits stay as they are.
				</p>
				<p class="problem" role="alert">
					{reason}
				</p>
				<div class="dialog-actions">
					<button type="button" class="quiet" onClick={() => dialog.current?.close()}>
						Keep
					</button>
					<button type="button" class="danger" onClick={empty}>
						Empty
					</button>
				</div>
			</dialog>
		</header>
	);
}
