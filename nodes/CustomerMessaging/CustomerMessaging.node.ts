import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { openRun } from './openRun';
import { emptyPlan, planRun } from './plan';
import { previewAll } from './preview';
import { formProperties, subtitle } from './properties';
import { hintsOf } from './results/hints';
import { toItems } from './results/items';
import { hasFailed } from './results/result';
import { invalidSummary, stopSummary, tally } from './results/summary';
import { getTimezones } from './schedule/zones';
import { sendAll } from './sendAll';
import { testAccount } from './sending/credentialTest';
import { connect } from './sending/transport';

export class CustomerMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Customer Messaging',
		name: 'customerMessaging',
		icon: { light: 'file:customerMessaging.svg', dark: 'file:customerMessaging.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitle(),
		description: 'Create users and send push, email and SMS campaigns',
		defaults: { name: 'Customer Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'customerMessagingApi',
				required: true,
				testedBy: 'testAccount',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'customerMessagingPartnerApi',
				required: true,
				testedBy: 'testAccount',
				displayOptions: { show: { authentication: ['partnerToken'] } },
			},
		],
		properties: [
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				default: 'apiKey',
				options: [
					{ name: 'API Key', value: 'apiKey' },
					{ name: 'Partner Token', value: 'partnerToken' },
				],
			},
			...formProperties(),
		],
	};

	methods = { credentialTest: { testAccount }, loadOptions: { getTimezones } };

	/** Parameters → checked rows → guards → gate → outcomes → items, in one straight line. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const node = this.getNode();
		const items = this.getInputData();
		const n8n = connect(this);

		const run = await openRun(n8n);
		const plan = 'problems' in run ? emptyPlan(items.length, run.problems) : planRun(run, items, n8n);
		if (plan.invalid.length > 0 && n8n.stopsOnFailure) {
			const { message, description } = invalidSummary(plan, items.length);
			throw new NodeOperationError(node, message, { description });
		}
		if ('problems' in run) return [toItems(plan.invalid, n8n)];

		const sent = run.isPreview
			? previewAll(plan.deliveries, run, n8n.clock.now())
			: await sendAll(plan, run, n8n);
		// Of a run that was stopped n8n shows little, so it is said in its log too.
		if (n8n.cancelled()) n8n.log(`Stopped. ${tally(sent.results)}`);
		this.addExecutionHints(...hintsOf(run, plan.deliveries, sent));
		if (n8n.stopsOnFailure && sent.results.some(hasFailed)) {
			const { message, ...rest } = stopSummary(sent.results, run);
			throw new NodeApiError(node, { message }, { message, ...rest });
		}
		return [toItems([...plan.invalid, ...sent.results], n8n, run)];
	}
}
