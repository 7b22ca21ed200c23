import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import { hostOf } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/install-host';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer, type Server } from '../../scripts/n8n/server';
import { signInAsOwner } from '../../scripts/start/account';
import { sandboxCredentials } from '../../scripts/start/sandbox-credentials';
import type { Report } from './report';
import { aiAgent } from './scenarios/ai-agent';
import { agentReview } from './scenarios/ai-agent-review';
import { announcementApproved } from './scenarios/announcement';
import { broadcastToAll, manyBroadcasts, rowsAreNotBroadcasts } from './scenarios/broadcasts';
import { campaignReport } from './scenarios/campaign-report';
import { rightCredentials, wrongCredentials } from './scenarios/credentials';
import { csvUsers } from './scenarios/csv-users';
import { everyOperation } from './scenarios/every-operation';
import { failedRows } from './scenarios/failed-rows';
import { expressionsReadAlike } from './scenarios/expressions';
import { errorOutput, partnerToken, stopOnError } from './scenarios/many-rows';
import {
	draggedAttributes,
	noDefaultSender,
	segmentList,
	segmentsAndSenders,
} from './scenarios/forms';
import { newCrmRow } from './scenarios/new-crm-row';
import { pushWithConsent } from './scenarios/push-with-consent';
import { errorOutputKeepsRows, regularOutput } from './scenarios/refused-rows';
import { retryOnFail } from './scenarios/retry';
import { missingPlatformOnly, testRunStaysTestRun } from './scenarios/retry-broadcast';
import {
	retriesInAnyOrder,
	retriesOfEarlierFailure,
	retriesWithOtherRows,
} from './scenarios/retry-from-list';
import { retryOfStopped } from './scenarios/retry-stopped';
import { unknownRowAlone } from './scenarios/retry-unknown-row';
import { segmentEmail } from './scenarios/segment-email';
import { sheetRows } from './scenarios/sheet-rows';
import { type CrashableBench, sendOnceSurvives } from './scenarios/send-once';
import { shopOrder } from './scenarios/shop-order';
import { smsReminder } from './scenarios/sms-reminder';
import { stopIsStop } from './scenarios/stop';
import { loopOverItems, subWorkflow } from './scenarios/structure';
import { testRecipient } from './scenarios/test-recipient';
import { twoVariants } from './scenarios/two-variants';
import { largeIntegers, numbersAsWritten } from './scenarios/values';

const scenarios: Array<[string, (bench: CrashableBench) => Promise<void>]> = [
	['Right credentials pass their test', rightCredentials],
	['Wrong key, wrong address and nobody there are told apart', wrongCredentials],
	['Every operation: 19 requests as described', everyOperation],
	['New CRM row: user and welcome push, bad row to the log', newCrmRow],
	['Shop order: user, then event, and a push for a large one', shopOrder],
	['Sheet rows: 250 in three requests, bad ones to a file', sheetRows],
	['CSV by form: a user for each row, bad ones to a file', csvUsers],
	['Two variants: each user gets one, and the same again', twoVariants],
	['Consent: only users whose last word in the Data Table is yes', pushWithConsent],
	['Segment email: sent on schedule, previewed by hand', segmentEmail],
	['SMS reminder: scheduled for the day before, or on a list', smsReminder],
	['Announcement: previewed, then sent on a yes alone', announcementApproved],
	['Failed rows: only what was not sent goes out, once, at 9', failedRows],
	['AI agent: reaches one person, never everyone', aiAgent],
	['AI agent with review: a push leaves only after a yes', agentReview],
	['Campaign reports: each with its answer, or why not', campaignReport],
	['12 bad rows of 42, stop: nothing sent, all 12 named', stopOnError],
	['12 bad rows of 42, error output: 30 sent, 12 kept', errorOutput],
	['Partner token in place of brand and key', partnerToken],
	['Expressions read as n8n reads them', expressionsReadAlike],
	['Invalid, refused and unknown rows: error output keeps the row', errorOutputKeepsRows],
	['Invalid, refused and unknown rows: regular output, in order', regularOutput],
	['Numbers and domains as people write them: sent in their standard form', numbersAsWritten],
	['Integers beyond 2^53: exact in the request, text in the output', largeIntegers],
	['Retry On Fail: every user exactly once', retryOnFail],
	['Retries from the list, in any order: every user exactly once', retriesInAnyOrder],
	['Retries after another node failed: every user exactly once', retriesOfEarlierFailure],
	['Retries whose rows come in another order: nothing sent, and why', retriesWithOtherRows],
	['Retry of a test run: still a test run', testRunStaysTestRun],
	['Test recipient: by hand the only one reached, once', testRecipient],
	['Retry of a broadcast: the missing platform alone', missingPlatformOnly],
	['Retry past an unknown row: it blocks no other', unknownRowAlone],
	['Retry of a stopped run: nobody twice', retryOfStopped],
	['Loop over items: every row once', loopOverItems],
	['Sub-workflow: every row once', subWorkflow],
	['The list of segments: names from the credential, no request', segmentList],
	["Segments of every form, and the credential's sender", segmentsAndSenders],
	['A credential without a sender: nothing sent, and what to fill in', noDefaultSender],
	['Dragged attributes: types kept, cleared where asked', draggedAttributes],
	['Broadcast to all: preview by hand, once by webhook', broadcastToAll],
	['500 rows into a broadcast: nothing sent, and why', rowsAreNotBroadcasts],
	['500 broadcasts where Max Broadcasts allows them', manyBroadcasts],
	['Stop in the middle of 300 sends: within a second', stopIsStop],
	['Send Once through Stop, SIGKILL and a restart: nobody twice', sendOnceSurvives],
];

/** The scenarios whose title holds one of the words, or all, on one real n8n, in a folder that is gone afterwards. */
export async function checkVersion(
	report: Report,
	version: string,
	tarball: string,
	words: readonly string[],
): Promise<void> {
	const host = hostOf(version);
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-live-'));
	const sandbox = await startSandbox();
	const port = await freePort();
	let server: Server | undefined;
	try {
		const stands = await report.check(version, 'The tarball installs and n8n starts', async () => {
			await installHost(host);
			await installTarball(tarball, userFolder);
			server = await startServer(host, { userFolder, port });
		});
		if (!stands || !server) return;

		const bench: CrashableBench = {
			version,
			client: new N8nClient(server.url),
			sandbox,
			credentialIds: {},
			async crash() {
				await server?.kill();
				server = await startServer(host, { userFolder, port });
			},
		};
		const ready = await report.check(version, 'Both credentials are created', async () => {
			await signInAsOwner(bench.client);
			for (const { id, ...credential } of sandboxCredentials(sandbox.urls)) {
				bench.credentialIds[id] = (await bench.client.createCredential(credential)).id;
			}
		});
		if (!ready) return;
		const isAsked = (scenario: string) =>
			words.length === 0 || words.some((word) => scenario.includes(word));
		for (const [scenario, run] of scenarios.filter(([title]) => isAsked(title)))
			await report.check(version, scenario, async () => await run(bench));
	} finally {
		await server?.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}
