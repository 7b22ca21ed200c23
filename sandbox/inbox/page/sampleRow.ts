import { sendToExample } from './requests';

const customer = {
	name: 'Asha Rao',
	email: 'asha@example.com',
	mobile: '+447700900101',
	plan: 'pro',
};

export type SampleRow = Partial<typeof customer>;

export const sampleCustomer: SampleRow = customer;

/** Sends a new customer through the example in n8n. */
export async function sendSampleRow(row: SampleRow = sampleCustomer): Promise<void> {
	await sendToExample('crm-row', { userID: newUserID(), ...row });
}

/** Sends new users through the example that pushes to each. */
export async function sendSampleUsers(count: number): Promise<void> {
	const rows = Array.from({ length: count }, () => ({ userID: newUserID() }));
	await sendToExample('two-variants', { rows });
}

/** Another one each time, because Send Once would skip the same one. */
function newUserID(): string {
	const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
	return `C-${random % 1_000_000}`;
}
