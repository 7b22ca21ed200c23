import { SegmentedMessage } from 'sms-segments-calculator';

/** Longer text is no SMS, and the library takes time by the square of the length. */
const maxLength = 5_000;

/**
 * How an SMS is cut for the network: 160 characters in GSM-7 or 70 in UCS-2 for one part, a few
 * less for each of several. The library is built into this file, as the package has no
 * dependencies at run time.
 */
export function smsParts(message: string): { parts: number; encoding: string } | undefined {
	if (message.length > maxLength) return undefined;
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}
