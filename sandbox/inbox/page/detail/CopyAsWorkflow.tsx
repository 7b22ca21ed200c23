import { useRef, useState } from 'preact/hooks';
import { asWorkflow, type Received } from '../../asWorkflow';
import { Icon } from '../Icon';

/** Puts the node that would send this on the clipboard, ready for n8n's canvas. */
export function CopyAsWorkflow({ received }: { received: Received }) {
	const [said, say] = useState('');
	const [json, setJson] = useState('');
	const dialog = useRef<HTMLDialogElement>(null);

	const copy = async () => {
		const made = asWorkflow(received);
		if (!made) return say('This body is neither an object nor a list, so no node can send it.');
		const text = JSON.stringify(made.workflow, null, 2);
		try {
			await navigator.clipboard.writeText(text);
			say(
				['Copied. Paste it on the canvas of n8n and choose its credential.', ...made.notes].join(
					' ',
				),
			);
		} catch {
			// The browser does not let it: then by hand.
			setJson(text);
			say(made.notes.join(' '));
			dialog.current?.showModal();
		}
	};

	return (
		<div class="copy">
			<button type="button" class="primary" onClick={() => void copy()}>
				<Icon name="copy" />
				Copy as workflow
			</button>
			<p class="copied" role="status">
				{said}
			</p>
			<dialog ref={dialog} aria-labelledby="copy-title">
				<h2 id="copy-title">Copy as workflow</h2>
				<p>
					The browser keeps its clipboard to itself. Copy this, and paste it on the canvas of n8n.
				</p>
				<textarea
					aria-label="Workflow as JSON"
					readOnly
					rows={12}
					value={json}
					onFocus={({ currentTarget }) => currentTarget.select()}
				/>
				<div class="dialog-actions">
					<button type="button" class="quiet" onClick={() => dialog.current?.close()}>
						Close
					</button>
				</div>
			</dialog>
		</div>
	);
}
