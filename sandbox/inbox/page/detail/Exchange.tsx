import type { Unparsed } from '../../row';
import { indented } from '../../../json';
import { counted, credentialName } from '../words';

const maxShown = 20_000;

/** The request and the response as they were sent. */
export function Exchange({ detail }: { detail: Unparsed }) {
	const { method, path, headers, rawBody, status, answer, remaining, identity } = detail;
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
	return (
		<div class="exchange">
			<details>
				<summary>
					Response <span class="muted">{status === null ? 'none' : status}</span>
				</summary>
				{answer === null ? (
					<p>The service gave no response.</p>
				) : (
					<>
						<p class="muted">
							{identity === null
								? 'The credential is unknown.'
								: `${credentialName(identity)}: ${counted(remaining ?? 0, 'request')} left in this window`}
						</p>
						<Code label="Body of the response">{answer}</Code>
					</>
				)}
			</details>
			<details>
				<summary>
					Request <span class="muted">secrets masked</span>
				</summary>
				<Code label="Head of the request">{[`${method} ${path}`, ...lines].join('\n')}</Code>
				<Code label="Body of the request">{rawBody}</Code>
			</details>
		</div>
	);
}

function Code({ label, children: text }: { label: string; children: string }) {
	return (
		<>
			<pre tabIndex={0} aria-label={label} role="region">
				{indented(text).slice(0, maxShown)}
			</pre>
			{text.length > maxShown && (
				<p class="muted">The beginning of {text.length.toLocaleString()} characters.</p>
			)}
		</>
	);
}
