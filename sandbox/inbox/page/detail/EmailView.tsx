import { Text } from '../Text';

interface Props {
	field: (key: string) => string;
	seq: number;
	to: string;
}

export function EmailView({ field, seq, to }: Props) {
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
			<figcaption>Scripts, forms, links and anything from the network are switched off.</figcaption>
		</figure>
	);
}
