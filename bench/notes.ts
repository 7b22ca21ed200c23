/** Explanations that the report shows next to the figures. */
export interface Notes {
	/** By the number of a part: why a target was not reached, and what the limit is. */
	parts: Record<number, string>;
	/** What was changed to make it faster, and what each change gained; measured side by side where not said otherwise. */
	gains: Array<{ change: string; before: string; after: string }>;
}

export const notes: Notes = {
	parts: {
		1: 'This node takes less than the floor that reads both fields, because it reads plain columns straight from the item, as [directRead.ts](../nodes/CustomerMessaging/run/directRead.ts) tells. What is left is n8n’s: reading and decrypting the credential for each request, a new connection for each, storing the execution.',
		2: '**Why the first run and the sliding minute take a fifth window.** 2,000 pushes are exactly four windows of 500, and 5 % of each are kept for small runs until the next window is two seconds away, so that a welcome message need not wait behind a campaign (part 4). When the next window comes is learned from the first one that ends: in the first run after n8n began, 25 places of its first window stay unused, and the last 25 pushes wait for a fifth. In a sliding minute that is so in every run, as the places of a window come free only a minute after they were used. The limit is 475 + 3 × 500 pushes in four windows; a run of 1,975 or fewer takes as long as the ideal. Giving the reserve away earlier was tried: the first run reaches 1.00, and in services whose minute does not follow the clock one small run in twenty waits 15 s.',
		3: '**Why 1.10 and not 1.05.** Towards the end of the window a request may go only when the answers under way leave room, as they may come in another order than they were sent: about two answers’ time, 0.2 s, in a run of two seconds. Counting less carefully was tried and gave more answers of 429 than the bound allows.',
		4: 'HTTP Request alone on its key, at 50 per 6 s, leaves room for others all the time, and is that much slower in part 2.',
		5: '**Why 1.41 at 100,000 rows.** The output tells of each row what became of it, ten fields in place of the pass-through’s four, and n8n writes all of it into the execution: what is held is 58 MB beside 45 MB, the rest is garbage of storing it. Up to 10,000 rows it is 1.20 and less. **Why the time per row is not flat:** a run has a fixed cost of about 65 ms (first use of code, ten requests one after the other), which weighs on 1,000 rows; from 10,000 to 100,000 the time per row differs by 1 %.',
		6: '**Why 60 ms.** On this machine, in the state in which this run found it, loading n8n-workflow, zod and luxon took 570 ms; a few hours earlier the package took 21 to 27 ms beside them. What cost most has been taken out since, see the last gain below.',
	},
	gains: [
		{
			change:
				'Plain columns (`={{ $json.name }}`, alone or between words) are read from the item instead of by n8n’s expression engine',
			before:
				'wall time over HTTP Request: 0.61–0.64 on 2.8.4, 0.60 on 2.41.1; processor time over the floor that reads both fields: 1.03 and 0.98 (a run of its own)',
			after: '0.52 and 0.51; 0.89 and 0.69 (part 1)',
		},
		{
			change: 'A timezone is looked up once, not for each row',
			before: '108 µs per scheduled row',
			after: 'less than 1 µs',
		},
		{
			change: 'Long text is counted in windows of 500 characters',
			before: 'a title of 40,000 characters: 8.8 s and 1.7 GB; of 100,000: out of memory',
			after: 'a million characters: 0.5 s, 22 MB',
		},
		{
			change: 'A process that was busy when a window began no longer takes the clock for refuted',
			before: 'ideal / time of a later run, minutes of the clock: 0.59–0.68 (a run of its own)',
			after: '0.99 (part 2)',
		},
		{
			change:
				'The segmenter of characters is made when first needed, and names are sorted without ICU’s rules (since the run above)',
			before: 'loading: 59 ms (52–76)',
			after: '44 ms (36–54), 0.74 of it',
		},
	],
};
