import { skippedHints, writeWarnings } from '../../../nodes/CustomerMessaging/report/skippedHints';
import { accepted, sent, skipped } from './support/results';

const tooCoarse =
	"'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number.";
const differs = { differs: true } as const;

describe('A hint about messages that were sent before', () => {
	it('counts them, and says how to send them again', () => {
		expect(skippedHints([skipped(0)])).toEqual([
			'Send Once: 1 message was skipped, because this node has sent it before. To send it again on purpose, turn Send Once off for one run.',
		]);
		expect(skippedHints([skipped(0), skipped(1), skipped(2, 'unknown')])).toEqual([
			'Send Once: 2 messages were skipped, because this node has sent them before. To send them again on purpose, turn Send Once off for one run.',
		]);
	});

	it('is not given if nothing was skipped', () => {
		expect(skippedHints([sent(0, accepted())])).toEqual([]);
		expect(writeWarnings([sent(0, accepted()), skipped(1)])).toEqual([]);
	});

	it('suspects the key if all were skipped although they are different', () => {
		const all = [skipped(0, 'unknown', { onceContent: 'a' }), skipped(1, 'unknown')];
		const other = skipped(2, 'unknown', { onceContent: 'b' });
		expect(skippedHints([...all, other])).toEqual([
			`Send Once: all 3 messages of this run were skipped, although they are not all the same. If they are new, ${tooCoarse}`,
		]);
		expect(skippedHints(all)).toEqual([]);
		expect(skippedHints([...all, other, sent(3, accepted())])).toEqual([]);
		expect(skippedHints([...all, other, skipped(3, 'unknown', differs)])).toEqual([]);
	});
});

describe('A warning about skipped messages', () => {
	it('counts those that may never have arrived', () => {
		expect(writeWarnings([skipped(0, 'unknown'), skipped(1)])).toEqual([
			"Send Once: 1 message was skipped that may never have arrived: when this node sent it, the service failed or did not answer. Check in the account whether it arrived. To send it again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.",
		]);
		expect(writeWarnings([skipped(0, 'unknown'), skipped(1, 'unknown')])).toEqual([
			"Send Once: 2 messages were skipped that may never have arrived: when this node sent them, the service failed or did not answer. Check in the account whether they arrived. To send them again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.",
		]);
	});

	it('names the items whose message says something else than the one that was sent', () => {
		const one = skipped(4, 'accepted', differs);
		expect(writeWarnings([one, skipped(5)])).toEqual([
			`Send Once: 1 message was skipped although another message of this run with the same key says something else: item 4. If people should get all of them, ${tooCoarse}`,
		]);
		expect(writeWarnings([one, one])).toEqual([
			`Send Once: 2 messages were skipped although another message of this run with the same key says something else: item 4. If people should get all of them, ${tooCoarse}`,
		]);
		expect(writeWarnings([one, skipped(6, 'accepted', differs)])).toEqual([
			`Send Once: 2 messages were skipped although another message of this run with the same key says something else: items 4, 6. If people should get all of them, ${tooCoarse}`,
		]);
	});
});
