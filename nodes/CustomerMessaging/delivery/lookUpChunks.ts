import { endOfChunks, type Position } from './chunks';
import type { Known } from './claim';
import type { OpenJournal } from './openJournal';

/** Looks up what other attempts have sent of deliveries that this one does not send, chunk by chunk. */
export async function lookUpChunks<P extends Position>(
	positions: readonly P[],
	{ journal, nameMessage }: OpenJournal,
	isStopped: () => boolean = () => false,
): Promise<Map<P, Known>> {
	const found = new Map<P, Known>();
	for (let next = 0; next < positions.length && !isStopped();) {
		const end = endOfChunks(positions, next, journal.window);
		const known = await journal.lookUp(
			positions.slice(next, end).map((position) => nameMessage(position)),
		);
		for (const [{ delivery }, one] of known) found.set(delivery, one);
		next = end;
	}
	return found;
}
