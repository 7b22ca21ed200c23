/** Explanations that the report shows next to the figures, by the number of a part. */
export const notes: Readonly<Record<number, string>> = {
	1: 'This node reads columns directly from the item (`run/parameters.ts`), and the credential once for a run. HTTP Request lets n8n evaluate both for each request. The rest of the time is n8n’s: it opens a connection for each request, and stores the execution.',
	2: '500 per 60 s is the best setting by hand: somebody has to know the limit, and nobody else may use the key.',
	5: 'The output has nine fields for each row, the pass-through’s the four of the input, which n8n has stored already.',
	6: 'As one bundle, the package took 20 ms beside 27 ms; n8n’s reviewers read the published files, so they stay apart.',
	8: 'The rows take most of the memory, in both. Rows are checked and reported in slices of 30 ms, and sent in slices of 5. A request in flight keeps its body as bytes, outside of V8’s heap.',
};
