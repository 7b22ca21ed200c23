/*
 * Prints the SQL that removes what a node has stored about one person; see "Erase one person" in administration.md.
 * Fill in the values below for each node, platform and recipient, and run, with the ID of the workflow and of the node:
 *
 *     sqlite3 database.sqlite "SELECT value FROM processed_data WHERE \"workflowId\" = '…' AND context = 'n:…'" > notes.json
 *     node erase-notes.mjs < notes.json > erase.sql
 *     sqlite3 database.sqlite < erase.sql
 *
 * With Postgres, use `psql -At -c` and `psql -f`. No execution of the workflow may run meanwhile.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const workflow = 'ID of the workflow';
const node = 'ID of the node';
// The address in the credential that these messages go to, and the account.
const address = 'https://push.example.com';
const account = { brandId: 'your brand ID' }; // partner apps: { credentialId: 'ID of the credential' }
// As the reference lists them. Without a platform: null.
const resource = 'push';
const operation = 'send';
const path = '/api/v1/web/send';
const platform = 'web';
// The recipient as it was sent: user_id, subscription_id, email in small letters, or mobile such as +4915112345678.
const recipient = { user_id: 'user-1001' };
// Of an event instead: its user and its name.
const event = undefined; // { userID: 'user-1001', name: 'Order Placed' }
// What Send Once Key gave for this person, and the periods: '' for Ever, 'day 2026-11-27', 'week 2026-11-23'
// (its Monday) or 'month 2026-11-01'.
const keys = ['order-1041'];
const periods = [''];
// When executions may have begun that messaged this person. A day takes some minutes.
const from = Date.parse('2026-11-27T00:00Z');
const to = Date.parse('2026-11-28T00:00Z');
const maxMessagesPerExecution = 100;

const digest = (...parts) => hash('sha256', JSON.stringify(parts), 'base64');
/** What n8n stores of a name. */
const stored = (name) => hash('md5', name, 'base64');

const list = new Set(JSON.parse(readFileSync(0, 'utf8')).data);
const toOne = event ? null : JSON.stringify(recipient);
const names = keys.flatMap((key) =>
	periods.map((period) =>
		digest(
			...[address, account, path, resource, operation, platform],
			...[toOne, event?.userID ?? null, period, digest(key)],
		),
	),
);
const whom = event ? JSON.stringify({ userID: event.userID, event_name: event.name }) : toOne;
const accountId = digest(address, account).slice(0, 10);
for (let ms = from; ms < to; ms++)
	if (list.has(stored(`established ${ms}`)))
		for (let number = 1; number <= maxMessagesPerExecution; number++)
			names.push(
				`here ${digest(accountId, ms, null, `${resource}.${operation}`, platform, whom, null, number)}`,
			);

const entries = names.flatMap((name) => [name, `${name} ?`]).map(stored);
for (const entry of entries.filter((one) => list.has(one)))
	console.log(
		`UPDATE processed_data SET value = replace(replace(value, ',"${entry}"', ''), '"${entry}",', '') WHERE "workflowId" = '${workflow}' AND context = 'n:${node}';`,
	);
