import {
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type IExecuteFunctions,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

export interface LinkResponse {
	status: number;
	/** A whole HTML page. */
	page: string;
	/** Present if the execution goes on: the output of the node. */
	answer?: IDataObject;
}

/** Reads a request for the page behind the link of a node that waits. */
export function readLinkRequest(context: IWebhookFunctions) {
	const { method = '' } = context.getRequestObject() as { method?: string };
	const query: { signature?: unknown } = context.getQueryData();
	const body: unknown = context.getBodyData();
	// A JavaScript string without braces, which would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	return {
		method,
		/** The signature in the link, as it arrived. */
		signature: query.signature,
		/** The value that the node stored as `asked` with the execution of the link. */
		stored: context.evaluateExpression(`{{ $node[${name}].context["asked"] }}`) as unknown,
		/** The fields of the form. */
		body: (typeof body === 'object' ? { ...body } : {}) as Readonly<Record<string, unknown>>,
		acceptLanguage: context.getHeaderData()['accept-language'],
	};
}

/** Allows no scripts, sources and frames. n8n replaces this policy by its own when the execution goes on. */
const policy =
	"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

export function respond(
	context: IWebhookFunctions,
	{ status, page, answer }: LinkResponse,
): IWebhookResponseData {
	// The published package does not have its type.
	const response = context.getResponseObject() as {
		statusCode: number;
		setHeader(name: string, value: string): unknown;
		end(page: string): unknown;
	};
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

/** Empty if the link has no signature. */
export function signatureOf(link: string): string {
	return new URL(link).searchParams.get('signature') ?? '';
}

/** A row without the answer's column, so that an earlier answer is never taken for the new one. */
export function withoutAnswer(row: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'data'));
}

/**
 * n8n's functions for waiting for an answer.
 *
 * @param hide keeps a text out of everything that people can read of the execution
 */
export function waiting(
	context: IExecuteFunctions,
	runIndex: () => number,
	hide: (secret: string) => void,
) {
	return {
		/** The signed link that answers this run of the node in this execution. */
		answerUrl: (): string => {
			// In a loop, each question has a link of its own.
			const run = runIndex();
			const link = context.getSignedResumeUrl(run > 0 ? { run: String(run) } : {});
			// People who can read the execution must not be able to answer.
			hide(signatureOf(link));
			return link;
		},
		/** An address of n8n's API, below n8n's public address, such as `https://example.com/n8n/rest`. */
		addressOfN8n: () => context.getRestApiUrl(),
		/**
		 * Makes the execution wait once `execute()` has returned. n8n goes on with the output of the answer, or after the
		 * time limit with the node's input without `data`. It does not run the node again.
		 *
		 * @param endMs epoch milliseconds; absent to wait until there is an answer
		 */
		waitForAnswer: async (endMs?: number) => {
			// n8n 1 and 2.8 check the signature only if a node asks for it. Newer versions always do, and lack this.
			const { setSignatureValidationRequired: require } = context as Partial<IExecuteFunctions>;
			require?.call(context);
			// n8n stores this input, and goes on with it after the time limit and in a retry after Stop.
			for (const item of context.getExecuteData().data.main?.[0] ?? [])
				item.json = withoutAnswer(item.json);
			await context.putExecutionToWait(endMs === undefined ? WAIT_INDEFINITELY : new Date(endMs));
		},
	};
}
