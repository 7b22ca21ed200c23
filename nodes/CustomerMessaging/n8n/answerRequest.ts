import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** A request for the page behind the link of a node that waits. */
export interface LinkRequest {
	method: string;
	/** The signature in the link, as it arrived. */
	signature: unknown;
	/** What the node stored under `asked` with the execution that the link names. */
	stored: unknown;
	/** The fields of the form. */
	body: Readonly<Record<string, unknown>>;
	/** The header `Accept-Language`. */
	acceptLanguage?: string;
}

export interface LinkResponse {
	status: number;
	/** A whole HTML page. */
	page: string;
	/** Present if the execution goes on: the output of the node. */
	answer?: IDataObject;
}

/** What is needed of the HTTP response, whose types the published package does not have. */
interface PageResponse {
	statusCode: number;
	setHeader(name: string, value: string): unknown;
	end(page: string): unknown;
}

export function readLinkRequest(context: IWebhookFunctions): LinkRequest {
	const { method = '' } = context.getRequestObject() as { method?: string };
	const query: { signature?: unknown } = context.getQueryData();
	const body: unknown = context.getBodyData();
	return {
		method,
		signature: query.signature,
		stored: context.evaluateExpression(`{{ $node[${readName(context)}].context["asked"] }}`),
		body: typeof body === 'object' ? { ...body } : {},
		acceptLanguage: context.getHeaderData()['accept-language'],
	};
}

/**
 * Without scripts, sources and frames. n8n replaces this policy by its own when the execution goes on.
 */
const policy =
	"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

export function respond(
	context: IWebhookFunctions,
	{ status, page, answer }: LinkResponse,
): IWebhookResponseData {
	const response = context.getResponseObject() as PageResponse;
	response.statusCode = status;
	for (const [name, value] of Object.entries({
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': policy,
		'Cache-Control': 'no-store',
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff',
		'X-Robots-Tag': 'noindex',
	}))
		response.setHeader(name, value);
	if (answer) {
		const item = { json: answer, pairedItem: { item: 0 } };
		return { webhookResponse: page, workflowData: [[item]] };
	}
	response.end(page);
	return { noWebhookResponse: true };
}

/** The name of the node as JavaScript. Braces would end the expression. */
function readName(context: IWebhookFunctions): string {
	return JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
}
