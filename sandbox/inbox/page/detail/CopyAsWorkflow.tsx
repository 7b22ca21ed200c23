import { useRef, useState } from 'preact/hooks';
import type { Inexact } from '../../../json';
import { asWorkflow, type Received } from '../../asWorkflow';
import { isObject } from '../../../terms';
import { Icon } from '../Icon';

/** Copies the node that would send this. For a batch, the node with its items is copied too. */
export function CopyAsWorkflow({ received, inexact }: { received: Received; inexact: Inexact }) {
	const [said, say] = useState('');
	const [json, setJson] = useState('');
	const dialog = useRef<HTMLDialogElement>(null);
	const name = isBatch(received.body) ? 'Copy as workflow' : 'Copy node';

	const copy = async () => {
		const made = asWorkflow(received);
		if (!made) return say('This body is not a JSON object or list, so no node can send it.');
		const text = JSON.stringify(made.workflow, null, 2);
		const notes = [...made.notes, ...notesOn(inexact)];
		try {
			await navigator.clipboard.writeText(text);
			say(['Copied. Paste it on the canvas in n8n and select a credential.', ...notes].join(' '));
		} catch {
			// The browser did not permit access to the clipboard.
			setJson(text);
			say(notes.join(' '));
			dialog.current?.showModal();
		}
	};

	return (
		<div class="copy">
			<button type="button" class="quiet" onClick={() => void copy()}>
				<Icon name="copy" />
				{name}
			</button>
			<p class="copied" role="status">
				{said}
			</p>
			<dialog ref={dialog} aria-labelledby="copy-title">
				<h2 id="copy-title">{name}</h2>
				<p>
					The browser does not permit this page to use the clipboard. Copy this text and paste it on
					the canvas in n8n.
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

function isBatch(body: unknown): boolean {
	return isObject(body) && Array.isArray(body.nv) && body.nv.length > 1;
}

function notesOn({ numbers, repeatedKeys }: Inexact): string[] {
	const notes: string[] = [];
	if (numbers.length > 0) {
		notes.push(`Check these numbers, because n8n may round them: ${numbers.join(', ')}.`);
	}
	if (repeatedKeys.length > 0) {
		notes.push(`Of repeated keys, it has the last value: ${repeatedKeys.join(', ')}.`);
	}
	return notes;
}
