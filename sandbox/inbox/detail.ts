import { SegmentedMessage } from 'sms-segments-calculator';
import type { Arrival } from '../arrivals';
import { shown } from '../control';
import { isObject } from '../terms';

/** Everything about one arrival. Its body is only in `rawBody`, exactly as it was sent. */
export interface Detail extends Omit<Arrival, 'body'> {
	/** How the network splits an SMS. Null for other messages, and for a text that is far too long. */
	sms: { parts: number; encoding: string } | null;
}

const mostCounted = 10_000;

export function toDetail(arrival: Arrival): Detail {
	const { body, ...rest } = shown(arrival);
	return { ...rest, sms: arrival.channel === 'sms' ? smsParts(body) : null };
}

function smsParts(body: unknown): Detail['sms'] {
	const message = isObject(body) ? body.message : undefined;
	if (typeof message !== 'string' || message.length > mostCounted) return null;
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}
