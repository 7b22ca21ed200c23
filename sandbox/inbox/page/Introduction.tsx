import { useEffect, useState } from 'preact/hooks';
import { fetchIntroduction } from './requests';

/** Shown until the first message arrives: how to send one. */
export function Introduction() {
	const [text, setText] = useState('');
	useEffect(() => void fetchIntroduction().then(setText, () => undefined), []);
	return (
		<div class="introduction">
			<h2>Waiting for the first message</h2>
			<p>Send something with the node, and it shows here. Put these into its credential:</p>
			<pre tabIndex={0}>{text}</pre>
		</div>
	);
}
