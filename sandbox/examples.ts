const patienceMs = 10_000;

/** The examples that take rows by a webhook, by its path. */
export const examples = {
	'crm-row': 'New CRM row to users and welcome push',
	'two-variants': 'Two variants by user ID',
};

/** Their files in `examples/`. */
export const exampleFiles: Readonly<Record<Example, string>> = {
	'crm-row': 'new-crm-row-to-users-and-welcome-push.json',
	'two-variants': 'two-variants-by-user-id.json',
};

export type Example = keyof typeof examples;

export const isExample = (name: string): name is Example => Object.hasOwn(examples, name);

/** What could not be handed over; its status is that of the sandbox's response. */
class Undelivered extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/**
 * Posts to the webhook of an example in n8n, as a CRM or a shop would.
 *
 * @param editor the address of n8n
 * @throws Undelivered saying what to do
 */
export async function sendToExample(
	editor: string | undefined,
	example: string,
	body: object,
): Promise<void> {
	if (!isExample(example)) throw new Undelivered(404, 'No such example');
	if (editor === undefined) {
		throw new Undelivered(409, 'This sandbox knows no n8n. Start both with: npm start');
	}
	const response = await fetch(`${editor}/webhook/${example}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(patienceMs),
	}).catch(() => {
		throw new Undelivered(502, `n8n does not answer at ${editor}.`);
	});
	await response.text();
	if (response.ok) return;
	throw new Undelivered(
		502,
		`n8n did not take the row. Switch on the example "${examples[example]}" (n8n 2: publish it).`,
	);
}
