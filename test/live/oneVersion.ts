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
import * as agentReview from './scenarios/agentReview';
import * as agents from './scenarios/agents';
import { announcementApproved } from './scenarios/announcement';
import * as asking from './scenarios/asking';
import * as broadcasts from './scenarios/broadcastsAgain';
import * as credentials from './scenarios/credentials';
import * as csvFiles from './scenarios/csvFiles';
import { errorOutputKeepsRows } from './scenarios/errorOutput';
import { everyOperation } from './scenarios/everyOperation';
import * as lists from './scenarios/exampleLists';
import * as questions from './scenarios/exampleQuestions';
import * as rows from './scenarios/exampleRows';
import { expressionsReadAlike } from './scenarios/expressions';
import { failedRows } from './scenarios/failedRows';
import * as kills from './scenarios/kills';
import * as network from './scenarios/network';
import * as outages from './scenarios/outages';
import * as repeats from './scenarios/repeats';
import { testRunStaysTestRun } from './scenarios/retryBroadcast';
import * as retries from './scenarios/retryFromList';
import * as n8n3 from './scenarios/setAsN8n3';
import * as shown from './scenarios/shown';
import * as stop from './scenarios/stop';

type Play = (bench: CrashableBench) => Promise<void>;

/** Scenarios by their titles. Those that mostly wait, for a service of their own, are played at once. */
type Program = Record<string, Play | { waits: Play }>;

/** In these, n8n versions differ most. */
export const everywhere: Program = {
	'A right credential passes its test, and a wrong key, a wrong address and an unreachable one are told apart':
		credentials.credentialsTested,
	'The schema of every output is served before the first run': shown.outputBeforeTheRun,
	'Every operation sends the requests of the reference, 19 in all': everyOperation,
	'An AI agent reaches one person and never everyone': agents.aiAgent,
	'Expressions give what n8n gives': expressionsReadAlike,
	'Invalid, refused and unknown rows keep their columns on the error output': errorOutputKeepsRows,
	'Retry On Fail reaches every user exactly once': retries.retryOnFail,
	'Retries from the list, in any order, reach every user exactly once': retries.retriesInAnyOrder,
	'A sub-workflow sends every row, and with Send Once a retry of its caller reaches nobody twice':
		retries.retryOfCaller,
	'Stop in the middle of 300 sends takes effect within a second': stop.stopIsStop,
	'A question is approved and another one declined on its page': asking.approvedAndDeclined,
};

/** Everything else but {@link withAllOnly}. */
export const newestOnly: Program = {
	'An outage of 20 s does not end a run': { waits: outages.outageInTheMiddle },
	'A service that takes ten a second gets 120 rows within a minute': { waits: outages.tenASecond },
	'A run gives up a Send Once Key after Max Wait, where another run holds it': {
		waits: outages.keyHeldByHangingRequest,
	},
	"n8n's AI workflow builder is told of the node and its operations": shown.hintsForTheBuilder,
	'A credential edited during a run changes nothing in that run': credentials.credentialEdited,
	'HTTP Request cannot use the credential, so that its key and guards stay with the node':
		credentials.keyOfHttpRequest,
	'With a review step, an AI agent sends a push only after a yes': agentReview.agentReview,
	'A person reviews by push what an AI agent wants to do': agentReview.reviewByPush,
	'An agent that calls for two people at once, or twice for one, reaches each once':
		agents.agentAtOnce,
	'Calls over MCP send a broadcast once for each key, and do not ask and wait':
		broadcasts.toolOverMcp,
	'A second click on a broadcast sends nothing, and says when it went out': broadcasts.secondClick,
	'Retries after another node failed reach every user exactly once':
		retries.retriesOfEarlierFailure,
	'Retry pressed twice at once reaches nobody twice': retries.retriedTwiceAtOnce,
	'With one lost answer in a loop, a retry reaches everybody in later rounds': retries.loopGoesOn,
	'The retry of a test run is still a test run': testRunStaysTestRun,
	'Send Once reaches nobody twice through Stop, SIGKILL and a restart': kills.sendOnceSurvives,
	'A list by hand that was stopped and corrected reaches nobody twice': repeats.listByHandAgain,
	'A later step that is executed after an error reaches nobody twice': repeats.laterStepAfterError,
	'A schedule and its newer version send a broadcast once': repeats.scheduleTwice,
	'The list of segments shows names from the credential without a request': shown.segmentList,
	'With a partner token, dragged attributes keep their types and are cleared where asked':
		shown.draggedAttributes,
	'A question takes one answer, also of two at the same moment': asking.answeredOnce,
	'A question opens by its own signature only, and no scanner answers it': asking.signatureCounts,
	'Each round of a loop has a question with a link of its own': asking.askedInLoop,
	'Sub-workflows that are not waited for each go on with their own answer': asking.askedAllAtOnce,
	'In a loop, a caller that waits for sub-workflows gets each answer, from n8n 2 on':
		asking.askedInTurn,
	'Stopped while it waits, an execution asks nobody again in a retry': asking.stoppedWhileWaiting,
	'New items of a Code node are refused where they lead to no row, and its dates are sent':
		shown.afterCode,
	'A new CRM row becomes a user with a welcome push, and a bad row is logged': rows.newCrmRow,
	'Pinned HubSpot contacts become users with an event, and who agreed gets a push':
		rows.hubspotContacts,
	'Pinned rows of Google Sheets become users with an event and a push': rows.googleSheetsRows,
	'A shop order creates its user, then tracks its event, and a large one gets a push':
		rows.shopOrder,
	'250 sheet rows are sent in three requests, and bad ones end in a file': lists.sheetRows,
	'Each user gets one of two variants, and later the same one': lists.twoVariants,
	'Only users who agreed get the push': rows.pushWithConsent,
	'The segment email is sent on schedule and only previewed by hand': lists.segmentEmail,
	'An SMS reminder is scheduled for the day before, or its row is put on a list': lists.smsReminder,
	'Only failed rows that were not sent go out again, once, at 9': failedRows,
	'Each campaign report comes with its response, or with the reason why not': lists.campaignReport,
};

/** They start n8n again or wait, which takes a while, as others do. */
export const withAllOnly: Program = {
	'A question whose time is over lets the execution go on without an answer, also in examples': {
		waits: asking.timeIsOver,
	},
	'A run by hand names a wrong address within half a minute': { waits: outages.wrongAddressByHand },
	'Timeout Workflow ends a run, and the log names who was not reached': {
		waits: stop.timeoutWorkflow,
	},
	'Below a path of a proxy, a question says what to set, and is then answered': network.belowAPath,
	'A proxy, NO_PROXY and an own certificate authority hold for this node too, and a later node reads a preview from files and from the database':
		network.throughProxies,
	'After a kill, a retry with another key, other rows or another text reaches nobody twice, and a question is answered':
		kills.killedInTheMiddle,
	'A campaign goes to everyone only after a yes by push': questions.campaignApproved,
	'The announcement is previewed, and sent only after a yes': announcementApproved,
	'An appointment is confirmed or declined by SMS': questions.appointmentConfirmed,
	'Sub-workflows of sub-workflows send a broadcast once for each key':
		broadcasts.broadcastsOfSubWorkflows,
	'Each row of a CSV file becomes a user, and bad ones end in a file': csvFiles.csvUsers,
	'A very large list goes on after a part of bad rows, and reaches nobody twice':
		csvFiles.largeList,
};

/** What n8n 3 changes and n8n 2 can be set to do. The sandbox is at 127.0.0.1, and the host is allowed by this name. */
export const settingsOfN8n3 = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
};

/** On the newest n8n with these settings. */
export const withSettingsOfN8n3: Program = {
	'A tarball loads although unverified packages are off, and a push arrives': n8n3.tarballLoads,
	'An address that n8n refuses is named, with the setting that allows it': n8n3.refusedByN8n,
	"n8n's migration report for n8n 3 names no example": n8n3.migrationReport,
};

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
	toRun: Program,
	{ column = host.version, servers = 1, env = {} }: Surroundings = {},
): Promise<void> {
	const plays = Object.entries(toRun);
	if (plays.length === 0) return;
	const waiting = plays.flatMap(([title, play]) =>
		typeof play === 'function' ? [] : { title, play: play.waits },
	);
	const others = plays.flatMap(([title, play]) =>
		typeof play === 'function' ? [[{ title, play }]] : [],
	);
	const parts = [waiting, ...others].values();
	const playNext = async () => {
		await onServer(report, { host, column, tarball, env }, async (bench) => {
			for (const part of parts)
				await Promise.all(
					part.map(
						async ({ title, play }) =>
							await report.check(column, title, async () => await play(bench)),
					),
				);
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
