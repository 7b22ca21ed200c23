import { SegmentedMessage } from 'sms-segments-calculator';

/**
 * How an SMS is cut for the network: 160 characters in GSM-7 or 70 in UCS-2 for one part, a few
 * less for each of several. The library is built into this file, as the package has no
 * dependencies at run time.
 */
export function smsParts(message: string): { parts: number; encoding: string } {
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}
