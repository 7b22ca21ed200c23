import { Text } from '../Text';

const maxSource = 20_000;

interface Props {
	field: (key: string) => string;
	seq: number;
	to: string;
}

export function EmailView({ field, seq, to }: Props) {
	const source = field('content');
	const envelope: Array<[string, string]> = [
		[
			'From',
			[field('sender_name'), field('sender_email') && `<${field('sender_email')}>`]
				.filter(Boolean)
				.join(' '),
		],
		['To', to],
		['Subject', field('subject')],
		['Reply to', field('reply_to')],
		['Copy to', field('email_cc')],
		['Campaign', field('campaign_name')],
	];
	return (
		<figure class="mail">
			<dl class="envelope">
				{envelope.map(
					([name, value]) =>
						value && (
							<div key={name} class="fact">
								<dt>{name}</dt>
								<dd>
									<Text of={value} />
								</dd>
							</div>
						),
				)}
			</dl>
			<iframe
				class="mail-frame"
				title="Content of the email"
				sandbox=""
				referrerpolicy="no-referrer"
				src={`/sandbox/inbox/email/${seq}`}
			/>
			<details>
				<summary>
					Source <span class="muted">{source.length.toLocaleString()} characters</span>
				</summary>
				<pre tabIndex={0} aria-label="Source of the email" role="region">
					{source.slice(0, maxSource)}
				</pre>
				{source.length > maxSource && <p class="muted">Only the beginning is shown.</p>}
			</details>
			<figcaption>
				Scripts, forms, links and anything from the network are switched off. Its links are in the
				source.
			</figcaption>
		</figure>
	);
}
