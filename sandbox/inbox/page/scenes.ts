import type { Example } from '../../examples';
import type { Fault } from '../../faults';
import { defaultLimits } from '../../limiter';
import { addFault, changeSettings, clearFaults } from './requests';
import { sampleCustomer, sendSampleRow, sendSampleUsers, type SampleRow } from './sampleRow';

export interface Scene {
	name: string;
	/** What the workflow should do. */
	expected: string;
	fault?: Fault;
	pushLimit?: number;
	/** What is sent through the CRM example in n8n. */
	rows?: SampleRow[];
	/** How many users are sent through the example that pushes to each. */
	users?: number;
}

const forMs = 30_000;

export const scenes: Scene[] = [
	{
		name: 'A welcome push',
		expected:
			'One user arrives, then one push each for web, Android and iOS. All four are accepted.',
		rows: [sampleCustomer],
	},
	{
		name: 'A customer without a name',
		expected:
			'The push says “Welcome, friend!”. A text with a gap, such as “Welcome, !”, never arrives.',
		rows: [{ plan: 'pro' }],
	},
	{
		name: 'Service down for 30 s',
		expected:
			'Twenty users are to get a push on three platforms. The first few requests fail. n8n lists them as “unknown” and does not send them twice. Then the workflow waits, asks with empty requests whether the service is back, and sends the rest.',
		fault: { kind: 'status', status: 503, forMs },
		users: 20,
	},
	{
		name: 'A limit of 5 a minute',
		expected:
			'Three users get nine pushes. The workflow sends five, waits for the next minute, and sends the rest. If one is answered “Rate limited”, it is sent again.',
		pushLimit: 5,
		rows: [sampleCustomer, sampleCustomer, sampleCustomer],
	},
	{
		name: 'A key that is refused',
		expected:
			'The run fails after the first request. In n8n, it says that the service refused the credential. Nobody gets a message. Retry in n8n begins at the last node, Mark the run as failed, and sends nothing: send the row again.',
		fault: { kind: 'status', status: 401, forMs },
		rows: [sampleCustomer],
	},
];

/** The example in n8n through which a scene goes. */
export const exampleOf = ({ users }: Scene): Example =>
	users === undefined ? 'crm-row' : 'two-variants';

/**
 * Ends the scene before it, sets this one up, and sends its rows if there is an n8n.
 *
 * @throws Error saying why the scene cannot be played
 */
export async function play(scene: Scene, hasN8n: boolean): Promise<void> {
	const { fault, pushLimit, rows = [], users } = scene;
	await endScene();
	if (pushLimit !== undefined) await changeSettings({ limits: { push: pushLimit } });
	if (fault) await addFault(fault);
	if (!hasN8n) return;
	for (const row of rows) await sendSampleRow(row);
	if (users !== undefined) await sendSampleUsers(users);
}

/** Has the service answer as it should. */
export async function endScene(): Promise<void> {
	await clearFaults();
	await changeSettings({ limits: { push: defaultLimits.push } });
}
