import { SegmentedMessage } from 'sms-segments-calculator';
import type { Arrival } from '../arrivals';
import { shown } from '../control';
import { isObject } from '../terms';

/** All there is to see of one arrival; its body is in `rawBody` alone. */
export interface Detail extends Omit<Arrival, 'body'> {
	/** How an SMS is cut for the network; null for what is none, and for what nobody could pay. */
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
