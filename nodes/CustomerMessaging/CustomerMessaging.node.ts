import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { reconcile } from './delivery/reconcile';
import { sendAll } from './delivery/sendAll';
import { sendTest } from './delivery/sendTest';
import { uncountUndelivered } from './plan/broadcastGuard';
import { emptyPlan, planRun } from './plan/plan';
import { previewAll } from './report/preview';
import { formProperties, hints, subtitle } from './description';
import { hintsOf } from './report/hints';
import { toItems } from './report/items';
import { hasFailed } from './shared/result';
import { labelReader } from './report/fieldLabels';
import { invalidSummary } from './report/invalidSummary';
import { stopSummary, tally } from './report/summary';
import { getTimezones } from './schedule/zones';
import { resolveRun } from './run/resolveRun';
import { testAccount } from './run/credentialTest';
import { recipientNamer } from './run/recipientName';
import { searchSegments } from './run/segmentSearch';
import { connect } from './n8n/context';

export class CustomerMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Customer Messaging',
		name: 'customerMessaging',
		icon: { light: 'file:customerMessaging.svg', dark: 'file:customerMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitle(),
		description: 'Create users, track events, and send push, email and SMS campaigns',
		defaults: { name: 'Customer Messaging' },
		usableAsTool: true,
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
		properties: formProperties(),
	};

	methods = {
		credentialTest: { testAccount },
		listSearch: { searchSegments },
		loadOptions: { getTimezones },
	};

	/** Parameters → checked rows → guards → rate limiter → outcomes → items. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const node = this.getNode();
		const items = this.getInputData();
		const n8n = connect(this, this.continueOnFail());

		const run = await resolveRun(n8n, items);
		const planned =
			'problems' in run ? emptyPlan(items.length, run.problems) : await planRun(run, items, n8n);
		const { plan, records } = await reconcile(planned, run, n8n);
		if (plan.invalid.length > 0 && n8n.stopsOnFailure) {
			const naming = {
				labelOf: labelReader(run),
				recipientOf: recipientNamer(run, items, n8n),
			};
			const { message, description } = invalidSummary(plan, run.history, naming);
			throw new NodeOperationError(node, message, { description });
		}
		if ('problems' in run || !records)
			return [await toItems([...plan.invalid, ...plan.earlier], n8n, run, items)];

		const test = await sendTest(plan, run, n8n, records);
		const report = run.isPreview
			? await previewAll(plan.deliveries, run, n8n, test)
			: await sendAll(plan, run, n8n, records);
		const results = [...plan.earlier, ...report.results];
		uncountUndelivered(results, n8n.memory().context);
		// n8n shows little about a stopped run, so its outcomes are also logged.
		if (n8n.cancelled()) n8n.log(`Stopped. ${tally(results)}`);
		this.addExecutionHints(...(await hintsOf(run, plan.deliveries, report, n8n.clock)));
		if (n8n.stopsOnFailure && results.some(hasFailed)) {
			const { message, ...rest } = stopSummary(results, run);
			throw new NodeApiError(node, { message }, { message, ...rest });
		}
		const output = await toItems([...plan.invalid, ...results], n8n, run, items);
		records.ledger.close(output[0]?.json.error !== undefined, n8n);
		return [output];
	}
}
