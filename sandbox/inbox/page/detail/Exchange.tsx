import type { Detail } from '../../detail';

const mostShown = 20_000;

/** What went over the line, both ways. */
export function Exchange({ detail, body }: { detail: Detail; body: unknown }) {
	const { method, path, headers, rawBody, status, answer, remaining, identity } = detail;
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
	return (
		<div class="exchange">
			<details open>
				<summary>
					Answer <span class="muted">{status === null ? 'none' : status}</span>
				</summary>
				{answer === null ? (
					<p>The service gave no answer.</p>
				) : (
					<>
						<p class="muted">
							{identity === null
								? 'Whose call it was is not known.'
								: `Calls left to ${identity} in this window: ${remaining ?? 0}`}
						</p>
						<Code label="Body of the answer">{indented(answer)}</Code>
					</>
				)}
			</details>
			<details>
				<summary>
					Request <span class="muted">secrets masked</span>
				</summary>
				<Code label="Head of the request">{[`${method} ${path}`, ...lines].join('\n')}</Code>
				<Code label="Body of the request">{body === undefined ? rawBody : indented(rawBody)}</Code>
			</details>
		</div>
	);
}

function Code({ label, children: text }: { label: string; children: string }) {
	return (
		<>
			<pre tabIndex={0} aria-label={label} role="region">
				{text.slice(0, mostShown)}
			</pre>
			{text.length > mostShown && (
				<p class="muted">
					The first {mostShown.toLocaleString()} of {text.length.toLocaleString()} characters.
				</p>
			)}
		</>
	);
}

function indented(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
