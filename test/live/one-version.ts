import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import type { Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/install-host';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer, type Server } from '../../scripts/n8n/server';
import { signInAsOwner } from '../../scripts/start/account';
import { sandboxCredentials } from '../../scripts/start/sandbox-credentials';
import type { CrashableBench } from './bench';
import type { Report } from './report';
import { aiAgent } from './scenarios/ai-agent';
import { agentReview } from './scenarios/ai-agent-review';
import { reviewByPush } from './scenarios/ai-agent-review-by-push';
import { announcementApproved } from './scenarios/announcement';
import { appointmentConfirmed } from './scenarios/appointment';
import {
	answeredOnce,
	approvedAndDeclined,
	askedAllAtOnce,
	askedInLoop,
	restartWhileWaiting,
	scannersDecideNothing,
	signatureCounts,
	stoppedWhileWaiting,
	timeIsOver,
} from './scenarios/asking';
import { hintsForTheBuilder, outputBeforeTheRun } from './scenarios/before-the-run';
import {
	asksNobodyOverMcp,
	broadcastsOfSubWorkflows,
	broadcastsOverMcp,
	secondClick,
} from './scenarios/broadcasts-again';
import { campaignApproved } from './scenarios/campaign-approval';
import { campaignReport } from './scenarios/campaign-report';
import { rightCredentials, wrongAddresses, wrongCredentials } from './scenarios/credentials';
import { csvUsers } from './scenarios/csv-users';
import { credentialEdited, keyOfHttpRequest } from './scenarios/key-hosts';
import { largeList } from './scenarios/large-list';
import { everyOperation } from './scenarios/every-operation';
import { failedRows } from './scenarios/failed-rows';
import { expressionsReadAlike } from './scenarios/expressions';
import { draggedAttributes, segmentList } from './scenarios/forms';
import { newCrmRow } from './scenarios/new-crm-row';
import { oddKeys } from './scenarios/odd-keys';
import {
	badRows,
	downFromTheStart,
	onlyWebPages,
	outageInTheMiddle,
	outageToTheEnd,
	outageWithoutConnection,
	retryAfterOutage,
	wrongAddressByHand,
	wrongKeyEndsEarly,
} from './scenarios/outages';
import { partnerToken } from './scenarios/partner-token';
import { pushWithConsent } from './scenarios/push-with-consent';
import { errorOutputKeepsRows } from './scenarios/refused-rows';
import { retryOnFail } from './scenarios/retry';
import { testRunStaysTestRun } from './scenarios/retry-broadcast';
import { retriesInAnyOrder, retriesOfEarlierFailure } from './scenarios/retry-from-list';
import { retryOfKilled } from './scenarios/retry-killed';
import {
	killedInLoopWithOtherRows,
	killedWithOtherRows,
	severalToOneRecipient,
	turnedOffForRetry,
} from './scenarios/retry-other-rows';
import { retryOfStopped } from './scenarios/retry-stopped';
import { segmentEmail } from './scenarios/segment-email';
import { sheetRows } from './scenarios/sheet-rows';
import { sendOnceSurvives } from './scenarios/send-once';
import { keyHeldByHangingRequest, keyHeldInOutage } from './scenarios/send-once-held';
import { remembersAfterRunWithout } from './scenarios/send-once-long';
import { shopOrder } from './scenarios/shop-order';
import { smsReminder } from './scenarios/sms-reminder';
import { stopIsStop, timeoutWorkflow } from './scenarios/stop';
import { loopOverItems, retryOfCaller, subWorkflow } from './scenarios/structure';
import { twoVariants } from './scenarios/two-variants';

type Scenario = [title: string, play: (bench: CrashableBench) => Promise<void>];

/** In these, n8n versions differ. */
export const everywhere: Scenario[] = [
	['Correct credentials pass their test', rightCredentials],
	['A wrong key, a wrong address and an unreachable one are told apart', wrongCredentials],
	['A wrong brand, a web page, http and a missing scheme are told apart', wrongAddresses],
	['The schema of every output is served before the first run', outputBeforeTheRun],
	["n8n's AI workflow builder is told of the node and its operations", hintsForTheBuilder],
	['A credential edited during a run changes nothing in that run', credentialEdited],
	['Every operation sends the requests of the reference, 19 in all', everyOperation],
	['An AI agent reaches one person and never everyone', aiAgent],
	['With a review step, an AI agent sends a push only after a yes', agentReview],
	['A person reviews by push what an AI agent wants to do', reviewByPush],
	['A partner token takes the place of brand ID and key', partnerToken],
	['Expressions give what n8n gives', expressionsReadAlike],
	[
		'Invalid, refused and unknown rows keep their columns on the error output',
		errorOutputKeepsRows,
	],
	['Retry On Fail reaches every user exactly once', retryOnFail],
	['Retries from the list, in any order, reach every user exactly once', retriesInAnyOrder],
	['Retries after another node failed reach every user exactly once', retriesOfEarlierFailure],
	['The retry of a test run is still a test run', testRunStaysTestRun],
	['The retry of a stopped run reaches nobody twice', retryOfStopped],
	['The retry of a killed run that saved its progress sends what is missing', retryOfKilled],
	[
		'A killed run whose rows come in another order, with one more, reaches nobody twice',
		killedWithOtherRows,
	],
	['Loop Over Items sends every row once', loopOverItems],
	['A sub-workflow sends every row once', subWorkflow],
	['With Send Once, a retry of the workflow that calls reaches nobody twice', retryOfCaller],
	['The list of segments shows names from the credential without a request', segmentList],
	['Dragged attributes keep their types and are cleared where asked', draggedAttributes],
	['Sub-workflows of sub-workflows send a broadcast once for each key', broadcastsOfSubWorkflows],
	['Calls over MCP send a broadcast once for each key', broadcastsOverMcp],
	['A call over MCP does not ask and wait, and is told where to place the node', asksNobodyOverMcp],
	['A second click on a broadcast sends nothing, and says that it went out today', secondClick],
	['A date that is none is refused, and keys that look alike are one key', oddKeys],
	['Stop in the middle of 300 sends takes effect within a second', stopIsStop],
	['Timeout Workflow ends a run, and the log names who was not reached', timeoutWorkflow],
	['Send Once reaches nobody twice through Stop, SIGKILL and a restart', sendOnceSurvives],
	['A question is approved and another one declined on its page', approvedAndDeclined],
	['A question whose time is over lets the execution go on without an answer', timeIsOver],
	['A question takes one answer, also of two at the same moment', answeredOnce],
	['A question is not answered by scanners that open its link', scannersDecideNothing],
	['A question opens by its own signature only', signatureCounts],
	['A question can be answered after n8n was killed and started again', restartWhileWaiting],
	['Each round of a loop has a question with a link of its own', askedInLoop],
	['Sub-workflows that are not waited for each go on with their own answer', askedAllAtOnce],
	['Stopped while it waits, an execution asks nobody again in a retry', stoppedWhileWaiting],
];

/** Everything else. */
export const newestOnly: Scenario[] = [
	[
		'A killed loop whose rows come in another order, with one more, reaches nobody twice',
		killedInLoopWithOtherRows,
	],
	[
		'Of two messages to one recipient, one sent before a kill, the other is unknown',
		severalToOneRecipient,
	],
	['A retry with Send Once turned off is refused if the execution had it on', turnedOffForRetry],
	['HTTP Request sends the key to no host but those of the credential', keyOfHttpRequest],
	['A new CRM row becomes a user with a welcome push, and a bad row is logged', newCrmRow],
	['A shop order creates its user, then tracks its event, and a large one gets a push', shopOrder],
	['250 sheet rows are sent in three requests, and bad ones end in a file', sheetRows],
	['Each row of a CSV file becomes a user, and bad ones end in a file', csvUsers],
	['A very large list goes on after a part of bad rows, and reaches nobody twice', largeList],
	['Each user gets one of two variants, and later the same one', twoVariants],
	['Only users whose consent is in the Data Table get the push', pushWithConsent],
	['The segment email is sent on schedule and only previewed by hand', segmentEmail],
	['An SMS reminder is scheduled for the day before, or its row is put on a list', smsReminder],
	['An appointment is confirmed or declined by SMS, or reminded of', appointmentConfirmed],
	['A campaign goes to everyone only after a yes by push', campaignApproved],
	['The announcement is previewed, and sent only after a yes', announcementApproved],
	['Only failed rows that were not sent go out again, once, at 9', failedRows],
	['Each campaign report comes with its response, or with the reason why not', campaignReport],
	['An outage leaves few in doubt, and the next run sends the rest', outageToTheEnd],
	['An outage without a connection leaves few in doubt', outageWithoutConnection],
	['After an outage, a retry sends what was not sent', retryAfterOutage],
	['Rows that the service cannot digest cost no other row', badRows],
	['A service that is down from the start leaves few in doubt', downFromTheStart],
	['Nothing is accepted where every answer is a web page', onlyWebPages],
	['A run by hand names a wrong address within half a minute', wrongAddressByHand],
	['An outage is told from a wrong key, which ends a run after ten requests', wrongKeyEndsEarly],
	['A run without Send Once does not make the node forget whom it skips', remembersAfterRunWithout],
	[
		'A run gives up a Send Once Key after Max Wait, where another run holds it',
		keyHeldByHangingRequest,
	],
	['A run gives up a Send Once Key after Max Wait, also in an outage', keyHeldInOutage],
	['An outage of 20 s does not end a run', outageInTheMiddle],
];

/** Runs scenarios on one real n8n, or on several n8n side by side: each takes the next one when it is done with one. */
export async function checkVersion(
	report: Report,
	host: Host,
	tarball: string,
	toRun: readonly Scenario[],
	servers = 1,
): Promise<void> {
	const waiting = toRun.values();
	const playNext = async () => {
		await onServer(report, host, tarball, async (bench) => {
			for (const [title, play] of waiting)
				await report.check(host.version, title, async () => await play(bench));
		});
	};
	await Promise.all(Array.from({ length: servers }, playNext));
}

/** Starts an n8n and a sandbox in a folder that is deleted afterwards. */
async function onServer(
	report: Report,
	host: Host,
	tarball: string,
	work: (bench: CrashableBench) => Promise<void>,
): Promise<void> {
	const { version } = host;
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
			readLog: () => (server ? readFileSync(server.logFile, 'utf8') : ''),
		};
		const ready = await report.check(version, 'Both credentials are created', async () => {
			await signInAsOwner(bench.client);
			for (const { id, ...credential } of sandboxCredentials(sandbox.urls)) {
				bench.credentialIds[id] = (await bench.client.createCredential(credential)).id;
			}
		});
		if (ready) await work(bench);
	} finally {
		await server?.stop();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}
