import { sendRow } from './requests';

const customer = {
	name: 'Asha Rao',
	email: 'asha@example.com',
	mobile: '+919812345678',
	plan: 'pro',
};

export type SampleRow = Partial<typeof customer>;

export const sampleCustomer: SampleRow = customer;

/** Sends a new customer through the example in n8n. Each has an ID of its own, or Send Once would skip the second. */
export async function sendSampleRow(row: SampleRow = sampleCustomer): Promise<void> {
	const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
	await sendRow({ userID: `C-${random % 1_000_000}`, ...row });
}
