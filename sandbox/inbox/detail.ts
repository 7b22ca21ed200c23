import { SegmentedMessage } from 'sms-segments-calculator';
import type { Arrival } from '../arrivals';
import { shown } from '../control';
import { isObject } from '../terms';
import { otherEvents, type OtherEvent } from './events';

/** Everything about one arrival. Its body is only in `rawBody`, exactly as it was sent. */
export interface Detail extends Omit<Arrival, 'body'> {
	/** How the network splits an SMS. Null for other messages, and for a text that is far too long. */
	sms: { parts: number; encoding: string } | null;
	/** Of a request with events: what else is known of the same users. */
	otherEvents: OtherEvent[];
}

const mostCounted = 10_000;

export function toDetail(arrival: Arrival, kept: readonly Arrival[]): Detail {
	const { body, ...rest } = shown(arrival);
	return {
		...rest,
		sms: arrival.channel === 'sms' ? smsParts(body) : null,
		otherEvents: otherEvents(arrival, kept),
	};
}

function smsParts(body: unknown): Detail['sms'] {
	const message = isObject(body) ? body.message : undefined;
	if (typeof message !== 'string' || message.length > mostCounted) return null;
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}
