import { Text } from '../Text';

/** A text on a phone. */
export function TextView({ field }: { field: (key: string) => string }) {
	return (
		<figure class="scene">
			<div class="device phone">
				<p class="sms-sender">
					<Text of={field('sender_name') || field('sender_mobile')} />
				</p>
				<p class="bubble">
					<Text of={field('message')} />
				</p>
			</div>
			<dl class="facts">
				<div class="fact">
					<dt>From</dt>
					<dd>
						<Text of={`${field('sender_name')} ${field('sender_mobile')}`} />
					</dd>
				</div>
				<div class="fact">
					<dt>Campaign</dt>
					<dd>
						<Text of={field('campaign_name')} />
					</dd>
				</div>
			</dl>
		</figure>
	);
}
