import type { Detail } from '../../detail';
import { Text } from '../Text';
import { counted } from '../words';

const alphabets: Record<string, string> = {
	'GSM-7': 'GSM-7, 160 characters in one part',
	'UCS-2': 'UCS-2, as some characters are not in GSM-7: 70 characters in one part',
};

/** A text on a phone. Only an SMS has parts. */
export function TextView({ field, detail }: { field: (key: string) => string; detail: Detail }) {
	const { channel, sms } = detail;
	const message = field('message');
	return (
		<figure class="scene">
			<div class="device phone">
				<p class="sms-sender">
					<Text of={field('sender_name') || field('sender_mobile')} />
				</p>
				<p class="bubble">
					<Text of={message} />
				</p>
				<p class="sms-parts">
					{channel === 'sms' &&
						`${sms ? counted(sms.parts, 'part') : 'Too long to count its parts'} · `}
					{counted([...message].length, 'character')}
				</p>
			</div>
			<figcaption>{sms && (alphabets[sms.encoding] ?? sms.encoding)}</figcaption>
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
