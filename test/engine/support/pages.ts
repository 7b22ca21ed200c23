import { WebhookContext } from 'n8n-core';
import type * as n8n from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';

export interface PageRequest {
	link: string;
	method?: 'GET' | 'POST';
	form?: Record<string, string>;
	acceptLanguage?: string;
}

/** Calls `webhook()` with n8n's own context, as n8n does after it has found the execution. */
export async function openPage(
	workflow: n8n.Workflow,
	data: n8n.IRunExecutionData,
	{ link, method = 'GET', form = {}, acceptLanguage }: PageRequest,
	additionalData: n8n.IWorkflowExecuteAdditionalData,
) {
	const headers: Record<string, string> = {};
	let ended: string | undefined;
	const httpResponse = {
		statusCode: 200,
		setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
		end: (text: string) => void (ended = text),
	};
	const query = Object.fromEntries(new URL(link).searchParams);
	const httpRequest = { method, query, body: form, headers: { 'accept-language': acceptLanguage } };
	const entry = data.executionData?.nodeExecutionStack[0];
	const node = entry && workflow.getNode(entry.node.name);
	const [webhookDescription] = new CustomerMessaging().description.webhooks ?? [];
	if (!node || !webhookDescription) throw new Error('No node waits');
	const context = new WebhookContext(
		workflow,
		node,
		{ ...additionalData, httpRequest, httpResponse },
		'webhook',
		{ webhookDescription } as never,
		[],
		data,
	);
	const answered = await CustomerMessaging.prototype.webhook.call(context);
	const html = ended ?? String(answered.webhookResponse);
	/** What the node outputs if the execution goes on. */
	const output = answered.workflowData?.[0];
	return { status: httpResponse.statusCode, headers, html, output };
}

/** The preview that an item carries as a file, or an empty text. */
export function pageOf(item: n8n.INodeExecutionData | undefined): string {
	return Buffer.from(item?.binary?.preview?.data ?? '', 'base64').toString();
}

/** What a page says, on one line. */
export function wordsOn(page: string): string {
	return page
		.slice(page.indexOf('<body>'))
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ');
}
