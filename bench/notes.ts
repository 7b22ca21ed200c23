/** Explanations that the report shows next to the figures. */
export interface Notes {
	/** By the number of a part: why a target was not reached, and what the limit is. */
	parts: Record<number, string>;
	/** Why several expressions of a row are not evaluated in one call. */
	expressions: string;
	/** What was changed to make it faster, and what each change gained; measured side by side where not said otherwise. */
	gains: Array<{ change: string; before: string; after: string }>;
}

export const notes: Notes = {
	parts: {
		1: 'This node needs less processor time than HTTP Request, because it reads columns, also with a fallback, directly from the item ([parameters.ts](../../nodes/CustomerMessaging/run/parameters.ts)). It also reads the credential once for a run, where HTTP Request lets n8n read, decrypt and evaluate it for each request. The rest of the time is n8n’s: it opens a connection for each request, and stores the execution. The floor keeps nothing. This node notes in n8n’s store what it is about to send, so that a retry sends nothing twice.',
		2: 'HTTP Request with 500 per 60 s is the best setting by hand: somebody has to know the limit and to enter it, and nobody else may use the key. Its batches take a little longer than a minute each, because it also needs time for each request. This node uses each minute of the service to the end, and begins the next one as soon as the service does: it sends a request that may be answered 429 to learn when that is. In a sliding minute, the two are equally fast, but for two seconds at the end: HTTP Request sends its last batch all at once, this node ten at a time. On a virtual clock too, the mean of random sizes is at least 0.97 for each kind of minute; a property test demands that.',
		4: 'When this was measured, 50 ms of this node’s time were a pause in which other workers could finish what they wrote to n8n’s store. A lock has replaced it. HTTP Request has no notes. At 50 per 6 s, it leaves room for others all the time. For that it is slower in part 2.',
		5: 'The output says of each row what became of it, in nine fields. The pass-through returns the four fields of the input, which n8n has stored already. So n8n stores more for this node, and needs memory for it. A run also has a fixed cost, which counts most with 1,000 rows: three pauses of 50 ms when this was measured (see part 4), and ten requests that are sent one after another.',
		6: 'Most of the time, Node.js looks for the package’s files and reads them one by one, and the package builds the schemas and the form of its operations. Luxon is a single file. As one bundle, the package took 20 ms beside 27 ms. n8n’s reviewers read the published files, so they stay apart.',
		8: 'The rows take most of the memory, and both contenders have them. In addition, this node needs what requests under way need: their bodies, and copies that n8n and Node.js make of them. The text of an email is built once to check it and once to send it, and never kept.',
	},
	expressions:
		'Four expressions took 0.255 ms in four calls of n8n’s engine, and 0.065 ms as a list in one call. But the results are not always the same. If one of them reads `$json.missing.deep`, n8n leaves that field empty; in a list, the engine gives up the whole list, and the other three fields would be empty too. `{{ $json.city; }}` and `{{ $json.city // note }}` work alone and are a syntax error in a list. A message could also no longer name the expression that failed. To be exact, the node would have to parse each expression as n8n does.',
	gains: [
		{
			change:
				'Plain columns (`={{ $json.name }}`, alone or between words) are read from the item instead of by n8n’s expression engine',
			before: 'wall time over HTTP Request: 0.61–0.64 on 2.8.4, 0.60 on 2.41.1, the newest then',
			after: '0.52 and 0.51',
		},
		{
			change:
				'Rows are checked without Zod’s `transform` and `superRefine`, which leave objects behind that Node.js frees late',
			before: '100,000 rows: heap of 522 MB after the checks; three fields of 100,000 rows: 2.6 s',
			after: '163 MB; 0.2 s',
		},
		{
			change:
				'The bodies of all messages are built when they are sent, not only long ones: if V8 has learned from short ones that bodies live long, it keeps the text of a dropped one until it collects all garbage. A request under way keeps only the JSON of its body',
			before: 'peak memory with 20,000 emails of 30 kB: 1,766 MB, 2.01 times the pass-through’s',
			after: '1,142 MB, 1.29 times',
		},
		{
			change: 'Looking up, comparing and summing up 100,000 rows lets n8n do other work in between',
			before: 'longest block: 1,094 ms, on a busy machine',
			after: '254 ms, on a busier one',
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
			change: 'A process that was busy when a minute began no longer takes the clock for refuted',
			before: 'ideal / time of a later run, minutes of the clock: 0.59–0.68',
			after: '0.99',
		},
		{
			change:
				'The segmenter of characters is made when first needed, and names are sorted without ICU’s rules',
			before: 'loading: 59 ms (52–76)',
			after: '44 ms (36–54)',
		},
	],
};
