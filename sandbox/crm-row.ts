const patienceMs = 10_000;

/** A row that could not be handed over; its status is that of the sandbox's response. */
class Undelivered extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/**
 * Hands a row to the example "New CRM row to users and welcome push" in n8n, as a CRM would.
 *
 * @param editor the address of n8n
 * @throws Undelivered saying what to do
 */
export async function sendCrmRow(editor: string | undefined, row: object): Promise<void> {
	if (editor === undefined) {
		throw new Undelivered(409, 'This sandbox knows no n8n. Start both with: npm start');
	}
	const response = await fetch(`${editor}/webhook/crm-row`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(row),
		signal: AbortSignal.timeout(patienceMs),
	}).catch(() => {
		throw new Undelivered(502, `n8n does not answer at ${editor}.`);
	});
	await response.text();
	if (response.ok) return;
	throw new Undelivered(
		502,
		'n8n did not take the row. Switch on the example "New CRM row to users and welcome push" (n8n 2: publish it).',
	);
}
