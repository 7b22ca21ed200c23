import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type NodeExecutionHint,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { answerLink, type RecentAnswers } from './ask/answerLink';
import { markDiffering, askHints, failureHints, writeHints, writeWarnings } from './report/hints';
import { reconcile, rememberAsk, waitForAnswer, wasTried } from './journal/reconcile';
import { sendAll } from './send/sendAll';
import { sendTest } from './send/sendTest';
import { uncountUndelivered } from './plan/broadcastGuard';
import { planRun, refuseRun } from './plan/plan';
import { previewAll } from './report/preview';
import { builderHint, formProperties, hints, subtitle, waitingNodeTooltip } from './description';
import {
	internalErrorMessage,
	itemsAfterInternalError,
	type Progress,
	toItems,
} from './report/items';
import { hasFailed } from './shared/result';
import { labelReader } from './report/names';
import { invalidSummary, stoppedLine, stopSummary } from './report/summary';
import { getTimezones } from './schedule/localTime';
import { resolveRun } from './run/resolveRun';
import { testAccount } from './run/credentialTest';
import { recipientNamer } from './run/names';
import { searchSegments } from './run/segmentSearch';
import { readLinkRequest, respond } from './n8n/answerRequest';
import { connect, type N8n } from './n8n/context';
import { hasAnswerColumn } from './shared/delivery';
import { errorMessage } from './shared/formatting';

/**
 * The links of questions whose answers executions wait for. They only let these executions go on: there is
 * nothing to register with the service, so the node needs no `webhookMethods`.
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

const recentAnswers: RecentAnswers = new Map();

export class CustomerMessaging implements INodeType {
	description: INodeTypeDescription & { builderHint: typeof builderHint } = {
		displayName: 'Customer Messaging',
		name: 'customerMessaging',
		icon: { light: 'file:customerMessaging.svg', dark: 'file:customerMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitle(),
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
			// Last, because of several credentials the editor chooses the last one for a new node.
			{
				name: 'customerMessagingApi',
				required: true,
				testedBy: 'testAccount',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
		],
		hints,
		webhooks: answerLinks,
		waitingNodeTooltip,
		properties: formProperties(),
	};

	methods = {
		credentialTest: { testAccount },
		listSearch: { searchSegments },
		loadOptions: { getTimezones },
	};

	/** Shows the page behind the link of a question, and takes the answer. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return respond(this, answerLink(readLinkRequest(this), recentAnswers, Date.now()));
	}

	/** Runs the node. With On Error set to continue, each item fails by itself and nothing is thrown. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const n8n = connect(this, this.continueOnFail());
		const progress: Progress = { mayHaveSent: false, isOver: false, results: [] };
		let ended: INodeExecutionData[] | Error;
		try {
			ended = await runNode(this, items, n8n, progress);
		} catch (error) {
			const what = internalErrorMessage(progress);
			const description = n8n.mask.text(errorMessage(error));
			n8n.log(`${what}: ${description}`, 'error');
			const isSuccess = progress.isOver && !progress.results.some(hasFailed);
			ended =
				n8n.stopsOnFailure && !isSuccess
					? new NodeOperationError(this.getNode(), what, { description })
					: itemsAfterInternalError(progress, items.length, n8n.hasErrorOutput, description);
		}
		if (ended instanceof Error) throw ended;
		return [ended];
	}
}

/**
 * Parameters → checked rows → guards → rate limiter → outcomes → items.
 *
 * @returns the items, or with Stop Workflow the error that stops it
 */
async function runNode(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	n8n: N8n,
	progress: Progress,
): Promise<INodeExecutionData[] | Error> {
	const node = context.getNode();
	progress.mayHaveSent = n8n.execution.mode === 'retry' || wasTried(n8n.memory());

	const run = await resolveRun(n8n, items);
	const planned =
		'problems' in run ? await refuseRun(run, items.length, n8n) : await planRun(run, items, n8n);
	const { plan, records } = await reconcile(planned, run, n8n);
	progress.results = [...plan.invalid, ...plan.earlier];
	// By hand, a bad row hides nothing: the good ones are shown beside it.
	const showsRest = 'isTestRun' in run && run.isTestRun && plan.deliveries.length > 0;
	const isRefused = plan.invalid.length > 0 && n8n.stopsOnFailure && !showsRest;
	if (isRefused || plan.deliveries.length === 0) planned.uncount?.();
	if (isRefused) {
		const naming = {
			labelOf: labelReader(run),
			recipientOf: recipientNamer(run, items, n8n),
		};
		const { message, description } = invalidSummary(plan, run.history, naming);
		return new NodeOperationError(node, n8n.mask.text(message), {
			description: n8n.mask.text(description),
		});
	}
	const tell = (hints: NodeExecutionHint[]) =>
		context.addExecutionHints(
			...hints.map((hint) => ({ ...hint, message: n8n.mask.text(hint.message) })),
		);
	if ('problems' in run || !records) {
		tell(failureHints(progress.results, run, n8n));
		return await toItems(progress.results, n8n, run, items);
	}

	rememberAsk(plan, run, n8n);
	const shown = await previewAll(plan.shown ?? [], run, n8n);
	const test = await sendTest(plan, run, n8n, records);
	progress.results = [...progress.results, ...(test?.results ?? [])];
	const sent = run.isPreview
		? await previewAll(plan.deliveries, run, n8n, test)
		: await sendAll(plan, run, n8n, records);
	progress.results = [...plan.invalid, ...plan.earlier, ...sent.results, ...shown.results];
	// A question whose link nobody waits for has not succeeded.
	progress.isOver = !run.operation.waits;
	const report = markDiffering(sent);
	const results = [...plan.earlier, ...report.results, ...shown.results];
	progress.results = [...plan.invalid, ...results];
	const hadAnswerColumn = items.some(({ json }) => hasAnswerColumn(json));
	const wait = await waitForAnswer(run, results, n8n);
	await onlyInform(n8n, async () => {
		uncountUndelivered(results, n8n.memory());
		// n8n keeps no items of a stopped run, so its outcomes are logged.
		if (n8n.cancelled()) n8n.log(...stoppedLine(results, run));
		for (const warning of writeWarnings(results)) n8n.log(warning, 'warn');
		const hints = await writeHints(run, plan, report, n8n);
		if (wait)
			tell([...hints, ...askHints(results, run, { ...wait, hadAnswerColumn }, n8n.workflowZone)]);
		else tell([...failureHints(progress.results, run, n8n), ...hints]);
	});
	// n8n goes on with the answer, or with the node's input if the time is over. This is a copy of the input,
	// because n8n empties the array when it looks for failed items.
	if (wait) return [...items];
	if (n8n.stopsOnFailure && results.some(hasFailed)) {
		const { message, ...rest } = stopSummary(results, run, n8n.isTool);
		const masked = n8n.mask.value({ message, ...rest }) as typeof rest & { message: string };
		return new NodeApiError(node, { message: masked.message }, masked);
	}
	const output = await toItems(progress.results, n8n, run, items);
	records.ledger.close(output[0]?.json.error !== undefined, n8n);
	return output;
}

/** Once messages have left, what only informs must not fail the run: its items name what was sent. */
async function onlyInform(n8n: N8n, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		n8n.log(`A mistake in this node kept hints from being shown: ${errorMessage(error)}`, 'error');
	}
}
