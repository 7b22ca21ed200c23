import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import type { Host } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer, type Server } from '../../scripts/n8n/server';
import { signInAsOwner } from '../../scripts/start/account';
import { sandboxCredentials } from '../../scripts/start/sandboxCredentials';
import type { CrashableBench } from './bench';
import type { Report } from './report';
import { aiAgent } from './scenarios/aiAgent';
import { agentReview } from './scenarios/aiAgentReview';
import { reviewByPush } from './scenarios/aiAgentReviewByPush';
import { announcementApproved } from './scenarios/announcement';
import { appointmentConfirmed } from './scenarios/appointment';
import {
	answeredOnce,
	approvedAndDeclined,
	askedAllAtOnce,
	askedInLoop,
	askedInTurn,
	restartWhileWaiting,
	scannersDecideNothing,
	signatureCounts,
	stoppedWhileWaiting,
	timeIsOver,
} from './scenarios/asking';
import { hintsForTheBuilder, outputBeforeTheRun } from './scenarios/beforeTheRun';
import {
	asksNobodyOverMcp,
	broadcastsOfSubWorkflows,
	broadcastsOverMcp,
	secondClick,
} from './scenarios/broadcastsAgain';
import { maxMessages, onlyTheseRecipients, sameMessageOnce } from './scenarios/safetyLimits';
import { campaignApproved } from './scenarios/campaignApproval';
import { campaignReport } from './scenarios/campaignReport';
import { rightCredentials, wrongCredentials } from './scenarios/credentials';
import { csvUsers } from './scenarios/csvUsers';
import { credentialEdited, keyOfHttpRequest } from './scenarios/keyHosts';
import { largeList } from './scenarios/largeList';
import { everyOperation } from './scenarios/everyOperation';
import { nobodyIsReached } from './scenarios/nobody';
import { placeholdersOfOthers } from './scenarios/placeholders';
import { failedRows } from './scenarios/failedRows';
import { expressionsReadAlike } from './scenarios/expressions';
import { dataOfOtherTools } from './scenarios/foreignData';
import { draggedAttributes, segmentList } from './scenarios/forms';
import { googleSheetsRows, hubspotContacts } from './scenarios/fromACrm';
import { belowAPath, throughProxies } from './scenarios/network';
import { newCrmRow } from './scenarios/newCrmRow';
import {
	outageInTheMiddle,
	outageToTheEnd,
	outageWithoutConnection,
	wrongAddressByHand,
	wrongKeyEndsEarly,
} from './scenarios/outages';
import { refusedForItself, tenASecond } from './scenarios/otherLimits';
import { previewFiles } from './scenarios/previewFiles';
import { partnerToken } from './scenarios/partnerToken';
import { pushWithConsent } from './scenarios/pushWithConsent';
import {
	alwaysOutputData,
	errorOutputKeepsRows,
	itemsLeadToTheirRows,
} from './scenarios/refusedRows';
import { retryOnFail } from './scenarios/retry';
import {
	branchesOnce,
	laterStepAfterError,
	listByHandAgain,
	scheduleTwice,
	webhookTwice,
} from './scenarios/repeats';
import { testRunStaysTestRun } from './scenarios/retryBroadcast';
import {
	retriedTwiceAtOnce,
	retriesInAnyOrder,
	retriesOfEarlierFailure,
} from './scenarios/retryFromList';
import {
	killedWithOtherRows,
	killedWithOtherTexts,
	severalToOneRecipient,
} from './scenarios/retryOtherRows';
import {
	agentAtOnce,
	killedEventsWithTime,
	killedWithOtherKeys,
	loopGoesOn,
	pastedNode,
	stoppedWithOtherKey,
} from './scenarios/secondTries';
import { segmentEmail } from './scenarios/segmentEmail';
import { migrationReport, refusedByN8n, tarballLoads } from './scenarios/setAsN8n3';
import { sheetRows } from './scenarios/sheetRows';
import { sendOnceSurvives } from './scenarios/sendOnce';
import { keyHeldByHangingRequest } from './scenarios/sendOnceHeld';
import { shopOrder } from './scenarios/shopOrder';
import { smsReminder } from './scenarios/smsReminder';
import { stopIsStop, timeoutWorkflow } from './scenarios/stop';
import { loopOverItems, retryOfCaller, subWorkflow } from './scenarios/structure';
import { twoVariants } from './scenarios/twoVariants';

type Scenario = [title: string, play: (bench: CrashableBench) => Promise<void>];

/** In these, n8n versions differ most. */
export const everywhere: Scenario[] = [
	['Correct credentials pass their test', rightCredentials],
	['A wrong key, a wrong address and an unreachable one are told apart', wrongCredentials],
	['The schema of every output is served before the first run', outputBeforeTheRun],
	['Every operation sends the requests of the reference, 19 in all', everyOperation],
	['An AI agent reaches one person and never everyone', aiAgent],
	['Expressions give what n8n gives', expressionsReadAlike],
	[
		'Invalid, refused and unknown rows keep their columns on the error output',
		errorOutputKeepsRows,
	],
	['Retry On Fail reaches every user exactly once', retryOnFail],
	['Retries from the list, in any order, reach every user exactly once', retriesInAnyOrder],
	['A sub-workflow sends every row once', subWorkflow],
	['Stop in the middle of 300 sends takes effect within a second', stopIsStop],
	['A question is approved and another one declined on its page', approvedAndDeclined],
];

/** Everything else but {@link withAllOnly}. */
export const newestOnly: Scenario[] = [
	["n8n's AI workflow builder is told of the node and its operations", hintsForTheBuilder],
	['A credential edited during a run changes nothing in that run', credentialEdited],
	['With a review step, an AI agent sends a push only after a yes', agentReview],
	['A person reviews by push what an AI agent wants to do', reviewByPush],
	['A partner token takes the place of brand ID and key', partnerToken],
	['Nodes after both outputs read the row of each item by name', itemsLeadToTheirRows],
	['Safety limits: the same message leaves once', sameMessageOnce],
	['Safety limits: Max Messages lets nothing of too many leave', maxMessages],
	['Safety limits: Only These Recipients reaches nobody else', onlyTheseRecipients],
	['Retries after another node failed reach every user exactly once', retriesOfEarlierFailure],
	['Retry pressed twice at once reaches nobody twice', retriedTwiceAtOnce],
	['The retry of a test run is still a test run', testRunStaysTestRun],
	['Send Once reaches nobody twice through Stop, SIGKILL and a restart', sendOnceSurvives],
	['A stopped run whose key is another one in its retry reaches nobody twice', stoppedWithOtherKey],
	['An agent that calls for two people at once, or twice for one, reaches each once', agentAtOnce],
	['With one lost answer in a loop, a retry reaches everybody in later rounds', loopGoesOn],
	['A node that was cut and pasted sends nothing in a retry, and says why', pastedNode],
	['Loop Over Items sends every row once', loopOverItems],
	['With Send Once, a retry of the workflow that calls reaches nobody twice', retryOfCaller],
	['The list of segments shows names from the credential without a request', segmentList],
	['Dragged attributes keep their types and are cleared where asked', draggedAttributes],
	['Calls over MCP send a broadcast once for each key', broadcastsOverMcp],
	['A call over MCP does not ask and wait, and is told where to place the node', asksNobodyOverMcp],
	['A second click on a broadcast sends nothing, and says when it went out', secondClick],
	['A list by hand that was stopped and corrected reaches nobody twice', listByHandAgain],
	['A later step that is executed after an error reaches nobody twice', laterStepAfterError],
	['A webhook that is called twice at once sends a broadcast once', webhookTwice],
	['A schedule and its newer version send a broadcast once', scheduleTwice],
	['Two branches into the node reach everybody once', branchesOnce],
	['A question takes one answer, also of two at the same moment', answeredOnce],
	['A question is not answered by scanners that open its link', scannersDecideNothing],
	['A question opens by its own signature only', signatureCounts],
	['Each round of a loop has a question with a link of its own', askedInLoop],
	['Sub-workflows that are not waited for each go on with their own answer', askedAllAtOnce],
	['In a loop, a caller that waits for sub-workflows gets each answer, from n8n 2 on', askedInTurn],
	['Stopped while it waits, an execution asks nobody again in a retry', stoppedWhileWaiting],
	['Always Output Data loses and doubles no row of the error output', alwaysOutputData],
	[
		'HTTP Request cannot use the credential, so that its key and guards stay with the node',
		keyOfHttpRequest,
	],
	['A new CRM row becomes a user with a welcome push, and a bad row is logged', newCrmRow],
	[
		'Pinned HubSpot contacts become users with an event, and who agreed gets a push',
		hubspotContacts,
	],
	['Pinned rows of Google Sheets become users with an event and a push', googleSheetsRows],
	['A shop order creates its user, then tracks its event, and a large one gets a push', shopOrder],
	['250 sheet rows are sent in three requests, and bad ones end in a file', sheetRows],
	['Each user gets one of two variants, and later the same one', twoVariants],
	['Only users who agreed get the push', pushWithConsent],
	['The segment email is sent on schedule and only previewed by hand', segmentEmail],
	['An SMS reminder is scheduled for the day before, or its row is put on a list', smsReminder],
	['Only failed rows that were not sent go out again, once, at 9', failedRows],
	['Each campaign report comes with its response, or with the reason why not', campaignReport],
	['An outage is told from a wrong key, which ends a run after ten requests', wrongKeyEndsEarly],
	[
		'A run gives up a Send Once Key after Max Wait, where another run holds it',
		keyHeldByHangingRequest,
	],
	['An outage of 20 s does not end a run', outageInTheMiddle],
	['Nobody is reached as NULL, 0 or #REF!, and nobody who opted out', nobodyIsReached],
	['What other tools fill in, and what n8n misreads, reaches nobody', placeholdersOfOthers],
	['Columns, dates and values of other tools are sent as the advice makes them', dataOfOtherTools],
	['A row that is always answered 429 costs no other row', refusedForItself],
	['A service that takes ten a second gets 200 rows within a minute', tenASecond],
];

/** They start n8n again or wait, which takes a while, as others do. */
export const withAllOnly: Scenario[] = [
	['Below a path of a proxy, a question says what to set, and is then answered', belowAPath],
	['A proxy, NO_PROXY and an own certificate authority hold for this node too', throughProxies],
	['A later node reads a preview, with binary data in files and in the database', previewFiles],
	[
		'A killed run whose key is another one in its retry, or gone, reaches nobody twice',
		killedWithOtherKeys,
	],
	[
		'A killed run with other texts in its retry, or a key of the day a day later, reaches nobody twice',
		killedWithOtherTexts,
	],
	['A campaign goes to everyone only after a yes by push', campaignApproved],
	['A question whose time is over lets the execution go on without an answer', timeIsOver],
	[
		'A killed run whose rows come in another order, with one more, reaches nobody twice',
		killedWithOtherRows,
	],
	['The announcement is previewed, and sent only after a yes', announcementApproved],
	['An outage leaves few in doubt, and the next run sends the rest', outageToTheEnd],
	['Timeout Workflow ends a run, and the log names who was not reached', timeoutWorkflow],
	['A run by hand names a wrong address within half a minute', wrongAddressByHand],
	['An appointment is confirmed or declined by SMS, or reminded of', appointmentConfirmed],
	['Sub-workflows of sub-workflows send a broadcast once for each key', broadcastsOfSubWorkflows],
	['Each row of a CSV file becomes a user, and bad ones end in a file', csvUsers],
	['A very large list goes on after a part of bad rows, and reaches nobody twice', largeList],
	['An outage without a connection leaves few in doubt', outageWithoutConnection],
	['A killed run tracks no event twice whose attribute holds the time', killedEventsWithTime],
	['A question can be answered after n8n was killed and started again', restartWhileWaiting],
	[
		'Of two messages to one recipient, one sent before a kill, both are unknown',
		severalToOneRecipient,
	],
];

/** What n8n 3 changes and n8n 2 can be set to do. The sandbox is at 127.0.0.1, and the host is allowed by this name. */
export const settingsOfN8n3 = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
};

/** On the newest n8n with these settings. */
export const setAsN8n3: Scenario[] = [
	['A tarball loads although unverified packages are off, and a push arrives', tarballLoads],
	['An address that n8n refuses is named, with the setting that allows it', refusedByN8n],
	["n8n's migration report for n8n 3 names no example", migrationReport],
];

export interface Surroundings {
	/** The heading of their results, by default the version. */
	column?: string;
	/** How many n8n there are, side by side: each takes the next scenario when it is done with one. */
	servers?: number;
	env?: NodeJS.ProcessEnv;
}

/** Runs scenarios on one real n8n, or on several. Without scenarios, none is started. */
export async function checkVersion(
	report: Report,
	host: Host,
	tarball: string,
	toRun: readonly Scenario[],
	{ column = host.version, servers = 1, env = {} }: Surroundings = {},
): Promise<void> {
	if (toRun.length === 0) return;
	const waiting = toRun.values();
	const playNext = async () => {
		await onServer(report, { host, column, tarball, env }, async (bench) => {
			for (const [title, play] of waiting)
				await report.check(column, title, async () => await play(bench));
		});
	};
	await Promise.all(Array.from({ length: servers }, playNext));
}

interface ServerToStart {
	host: Host;
	column: string;
	tarball: string;
	env: NodeJS.ProcessEnv;
}

/** Starts an n8n and a sandbox in a folder that is deleted afterwards. */
async function onServer(
	report: Report,
	{ host, column, tarball, env }: ServerToStart,
	work: (bench: CrashableBench) => Promise<void>,
): Promise<void> {
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-live-'));
	const sandbox = await startSandbox();
	const port = await freePort();
	let server: Server | undefined;
	try {
		const stands = await report.check(column, 'The tarball installs and n8n starts', async () => {
			await installHost(host);
			await installTarball(tarball, userFolder);
			server = await startServer(host, { userFolder, port, env });
		});
		if (!stands || !server) return;

		const bench: CrashableBench = {
			version: host.version,
			client: new N8nClient(server.url),
			sandbox,
			credentialIds: {},
			async crash(more) {
				await server?.kill();
				server = await startServer(host, { userFolder, port, env: { ...env, ...more } });
			},
			readLog: () => (server ? readFileSync(server.logFile, 'utf8') : ''),
		};
		const ready = await report.check(column, 'Both credentials are created', async () => {
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
