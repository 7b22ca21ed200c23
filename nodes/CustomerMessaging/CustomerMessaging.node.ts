import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { answerLink, rememberAsk, waitForAnswer } from './ask/answerLink';
import { tellFailures, tellQuestion, tellRun, writeWarnings } from './report/hints';
import { Sent } from './engine';
import { findTest, markDiffering, type Ready, sendAll, sendTest } from './sendAll';
import { noteSent } from './plan/counts';
import { noteBranch } from './plan/messageFilter';
import { type Plan, planRun, refuseAll, refuseRun } from './plan/plan';
import { reconcile } from './plan/reconcile';
import { previewAll } from './report/preview';
import { builderHint, formProperties } from './description';
import { itemsAfterMistake, toItems } from './report/items';
import { itemsOnly, pick, toHints } from './report/naming';
import {
	hasFailed,
	internalFailure,
	type UnsentResult,
	type Result,
	type RunReport,
} from './shared/ending';
import { invalidSummary, stoppedLine, stopSummary } from './report/sentences';
import { getTimezones } from './schedule/localTime';
import { isShownByHand } from './run/guards';
import { type KnownRun, resolveRun } from './run/resolveRun';
import { searchSegments, testAccount } from './run/editorMethods';
import { readLinkRequest, respond } from './n8n/answerRequest';
import { connect, type N8n } from './n8n/context';
import { errorMessage, placeOfMistake, tell } from './shared/formatting';
import { Slice } from './shared/slices';

/**
 * Links to the pages of questions. They only let a waiting execution go on: nothing is registered with the service,
 * so the node needs no `webhookMethods`.
 */
const answerLinks = (['GET', 'POST'] as const).map((httpMethod): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

export class CustomerMessaging implements INodeType {
	description: INodeTypeDescription & { builderHint: typeof builderHint } = {
		displayName: 'Customer Messaging',
		name: 'customerMessaging',
		icon: { light: 'file:customerMessaging.svg', dark: 'file:customerMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create users, track events, and send push, email and SMS campaigns',
		defaults: { name: 'Customer Messaging' },
		usableAsTool: true,
		builderHint,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'customerMessagingPartnerApi',
				required: true,
				testedBy: 'testAccount',
				displayOptions: { show: { authentication: ['partnerToken'] } },
			},
			// Last, because the editor chooses the last of several credentials for a new node.
			{
				name: 'customerMessagingApi',
				required: true,
				testedBy: 'testAccount',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
		],
		webhooks: answerLinks,
		waitingNodeTooltip: 'The execution continues when the recipient has answered',
		properties: formProperties(),
	};

	methods = {
		credentialTest: { testAccount },
		listSearch: { searchSegments },
		loadOptions: { getTimezones },
	};

	/** Shows the page behind the link of a question, and takes the answer. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return respond(this, answerLink(readLinkRequest(this), Date.now()));
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const end = await runNode(this.getInputData(), connect(this, this.continueOnFail()));
		if (end instanceof Error) throw end;
		return [end];
	}
}

/** The end of a run: its items, or the error that stops the workflow. */
type End = INodeExecutionData[] | NodeApiError | NodeOperationError;

/** Facts about a run, in case a mistake of this node ends it. */
interface Known {
	/** True if an earlier attempt may have sent messages. */
	mayHaveSent: boolean;
	/** The results of all items, once everything was sent. */
	results: readonly Result[];
	/** The end of the run, even if hints or logs fail afterwards. */
	end?: End;
}

/**
 * Runs the node. With On Error set to continue, each item fails by itself, and no error ends the run.
 *
 * @param pace stands for another process in a simulation
 */
export async function runNode(
	items: readonly INodeExecutionData[],
	n8n: N8n,
	pace?: Ready['pace'],
): Promise<End> {
	// Until n8n's memory is read, that is not known.
	const known: Known = { mayHaveSent: true, results: [] };
	try {
		known.mayHaveSent = n8n.execution.mode === 'retry' || Sent.wasTried(n8n.memory());
		const { run: asked, problems } = await resolveRun(n8n, items);
		if (problems) {
			const refused = await refuseRun(asked, problems, items, n8n);
			const { plan } = await reconcile(refused, asked, n8n);
			return await refuse(plan, asked, items, n8n);
		}
		const { run, ...planned } = await planRun(asked, items, n8n);
		const { plan, sent } = await reconcile(planned, run, n8n);
		// By hand, a bad row hides nothing: the good ones are shown beside it.
		const showsGoodRows = isShownByHand(run.mode) && plan.deliveries.length > 0;
		const stops = n8n.stopsOnFailure && plan.invalid.length > 0 && !showsGoodRows;
		if (!sent || stops) return await refuse(plan, run, items, n8n);
		const ready = { plan, run, n8n, sent, pace };
		const done = await send(ready);
		if (done.refused) return await refuse(refuseAll(plan, [done.refused]), run, items, n8n);
		return await report(done, ready, items, known);
	} catch (error) {
		return endByMistake(error, known, items, n8n);
	}
}

/** The end of a run that sends nothing. */
async function refuse(
	plan: Plan,
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<End> {
	noteSent(plan.earlier, n8n, run.operation);
	const hasFailures = plan.invalid.length > 0 || plan.earlier.some(hasFailed);
	if (hasFailures && n8n.stopsOnFailure) {
		const { message, ...details } = invalidSummary(plan, run, items, n8n);
		return new NodeOperationError(n8n.node, message, details);
	}
	const results = inItemOrder([...plan.invalid.map(inDoubt), ...plan.earlier, ...plan.leftOut]);
	n8n.showHints(toHints([tellFailures(results, run, items, n8n)]));
	return await toItems(results, n8n, run, items);
}

/** A row is in doubt if its execution cannot go on: an earlier attempt may have sent it. */
function inDoubt(row: UnsentResult<'invalid'>): Result {
	const { delivery, ending: refused } = row;
	const [problem] = refused.values.problems;
	if (problem?.field !== 'execution') return row;
	const values = { message: tell(problem) };
	const ending = { kind: 'unknown', code: 'interrupted', values } as const;
	return { delivery, ending, attempts: 0 };
}

/** Sends the messages of a plan, or shows them. */
async function send(ready: Ready): Promise<RunReport> {
	const { plan, run, n8n } = ready;
	const ask = plan.deliveries[0]?.ask;
	if (ask && run.mode.kind !== 'show') rememberAsk(ask, n8n);
	if (run.mode.kind === 'send') return await sendAll(ready);
	const test = findTest(ready);
	const preview = await previewAll(plan.deliveries, run, n8n, test?.itemIndex);
	if (!test) return preview;
	const tested = await sendTest(test, ready);
	return { ...tested, results: [...tested.results, ...preview.results] };
}

/** Reports the results, and ends the run. */
async function report(
	done: RunReport,
	{ plan, run, n8n, sent }: Ready,
	items: readonly INodeExecutionData[],
	known: Known,
): Promise<End> {
	const slice = new Slice(n8n.clock);
	known.results = [...plan.invalid, ...plan.earlier, ...plan.leftOut, ...done.results];
	const marked = { ...done, results: markDiffering(done.results) };
	const results = inItemOrder([...plan.earlier, ...plan.leftOut, ...marked.results]);
	const all = inItemOrder([...plan.invalid, ...results]);
	// n8n keeps no items of a stopped run, so its outcomes are logged.
	if (n8n.cancelled()) n8n.log(...stoppedLine(results, run));
	const hadAnswerColumn = items.some(({ json }) => Object.hasOwn(json, 'data'));
	const { operation, history, settings } = run;
	const wait = operation.waits
		? await waitForAnswer(results, history.isRetry, settings.limitWaitTime, n8n)
		: undefined;
	const summary = n8n.stopsOnFailure && !wait ? stopSummary(results, run, n8n) : undefined;
	if (slice.isOver) await slice.next();
	if (wait) {
		// n8n goes on with the answer, or with the node's input if the time is over. This is a copy of the input,
		// because n8n empties the array when it looks for failed items.
		known.end = [...items];
	} else if (summary) {
		const masked = n8n.mask.value(summary) as typeof summary;
		known.end = new NodeApiError(n8n.node, { message: masked.message }, masked);
	} else {
		known.end = await toItems(all, n8n, run, items);
		sent.ledger.close(known.end[0]?.json.error !== undefined);
	}

	// From here on, no failure changes the end, which names what was sent.
	noteSent(results, n8n, operation);
	noteBranch(results, n8n);
	if (slice.isOver) await slice.next();
	for (const warning of writeWarnings(results, run, itemsOnly)) n8n.log(warning, 'warn');
	const ended = wait
		? tellQuestion(results, run, { ...wait, hadAnswerColumn }, n8n.workflowZone)
		: tellFailures(all, run, items, n8n);
	n8n.showHints(toHints([ended, tellRun({ run, plan, done: marked, items, n8n })]));
	return known.end;
}

/** Hints and messages name items in the order of the input. */
function inItemOrder(results: readonly Result[]): Result[] {
	return [...results].sort((one, other) => one.delivery.itemIndex - other.delivery.itemIndex);
}

/** Ends a run that a mistake of this node ended: what was sent is in the items or the error. */
function endByMistake(
	error: unknown,
	{ mayHaveSent, results, end }: Known,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): End {
	const accepted = pick(results, 'accepted').length;
	const what = `Internal error in this node ended the run; ${accepted} of its messages had been accepted`;
	n8n.log(`${what}: ${placeOfMistake(error)}`, 'error');
	if (end) return end;
	const description = n8n.mask.text(errorMessage(error));
	if (n8n.stopsOnFailure) {
		const details = { description, itemIndex: 0, failure: { cause: 'node-defect' } };
		return new NodeOperationError(n8n.node, what, details);
	}
	const failures = items.map((_, itemIndex) =>
		internalFailure({ itemIndex }, description, mayHaveSent),
	);
	const left = results.length > 0 ? inItemOrder(results) : failures;
	return itemsAfterMistake(left, what, description, n8n);
}
