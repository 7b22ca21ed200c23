import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon, type IconName } from './Icon';
import { fetchIntroduction } from './requests';
import { sendSampleRow } from './sampleRow';
import { useAccess } from './useAccess';

/** Shown until the first message arrives: how to send one. */
export function Introduction() {
	const [text, setText] = useState('');
	const access = useAccess();
	useEffect(() => void fetchIntroduction().then(setText, () => undefined), []);
	return (
		<div class="introduction">
			<h2>Waiting for the first message</h2>
			<p>What your workflows send to customers shows here, and nothing reaches anyone.</p>
			{access?.editor !== undefined && <Ways editor={access.editor} />}
			{access && access.editor === undefined && (
				<p>
					To try it with n8n and examples, stop this sandbox and run <code>npm start</code> instead.
				</p>
			)}
			<details open={access && access.editor === undefined}>
				<summary>For developers</summary>
				<p>Put these into the credential of the node:</p>
				<pre tabIndex={0}>{text}</pre>
			</details>
		</div>
	);
}

function Ways({ editor }: { editor: string }) {
	const [said, say] = useState('');
	const sendRow = () => {
		say('Sending …');
		sendSampleRow().then(
			() => say('n8n has the row. Its messages arrive in a moment.'),
			(error: Error) => say(error.message),
		);
	};
	return (
		<>
			<ul class="ways">
				<li>
					<a href={editor} target="_blank" rel="noreferrer">
						<Way icon="event" name="Open n8n">
							Run one of the examples, or a workflow of your own.
						</Way>
					</a>
				</li>
				<li>
					<a href={`${editor}/form/announcement`} target="_blank" rel="noreferrer">
						<Way icon="campaign" name="Fill in the announcement">
							A form. It sends you a test, shows a preview, and asks before everyone gets it.
						</Way>
					</a>
				</li>
				<li>
					<button type="button" onClick={sendRow}>
						<Way icon="user" name="Send a sample row">
							A new customer goes through an example and gets a welcome push.
						</Way>
					</button>
				</li>
			</ul>
			<p class="muted" role="status">
				{said}
			</p>
		</>
	);
}

interface WayProps {
	icon: IconName;
	name: string;
	children: ComponentChildren;
}

function Way({ icon, name, children }: WayProps) {
	return (
		<>
			<Icon name={icon} />
			<span>
				<strong>{name}</strong>
				<small>{children}</small>
			</span>
		</>
	);
}
