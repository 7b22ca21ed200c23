import { waitEnd } from '../ask/waitLimit';
import { parseUrl } from '../fields/link';
import type { N8n } from '../n8n/context';
import { isProblem, type Problem } from '../shared/problem';
import { isLoopback } from './credentialChecks';
import type { Settings } from './options';

/** Says why a run cannot ask and wait; empty if it can. */
export function refuseAsk(
	{ itemCount, origin, settings }: { itemCount: number; origin: string; settings: Settings },
	n8n: N8n,
): Problem[] {
	// Over MCP, there is no execution that a link could lead to.
	if (n8n.isTool) return [asTool];
	const end = waitEnd(settings.limitWaitTime, { nowMs: n8n.now(), workflowZone: n8n.workflowZone });
	return [
		...(n8n.raw('operation') === 'sendAndWait' ? [] : [byExpression]),
		...(itemCount > 1 ? [severalItems(itemCount)] : []),
		...linkToLoopback(n8n.answerUrl(), origin),
		...(isProblem(end) ? [end] : []),
	];
}

const asTool: Problem = {
	field: 'operation',
	message:
		"An agent cannot use 'Send and Wait for Response' as a tool of its own, because the call would not wait for the answer. In n8n 2, connect this node as a review step between the agent and the tool to be approved. Otherwise place it in the workflow before or after the agent",
};

/** n8n 1 and 2.8 check the signature of the link only if the parameter is literally `sendAndWait`. */
const byExpression: Problem = {
	field: 'operation',
	message:
		"'Send and Wait for Response' is chosen by an expression. Some versions of n8n then do not check the link's signature, so a stranger could answer. Choose the operation from its list",
};

function severalItems(itemCount: number): Problem {
	return {
		field: 'operation',
		message: `There are ${itemCount} items, but an execution can wait for the answer to one question only. To ask one after another, place Loop Over Items with a batch size of 1 before this node. To ask all at once, call a sub-workflow for each item with Execute Sub-workflow, and turn off its option 'Wait For Sub-Workflow Completion'. A caller that waits gets only the first answer`,
	};
}

function linkToLoopback(answerUrl: string, origin: string): Problem[] {
	const [link, service] = [parseUrl(answerUrl), parseUrl(origin)];
	if (!link || !isLoopback(link) || (service && isLoopback(service))) return [];
	return [
		{
			field: 'answerUrl',
			message: `The link in the message would lead to ${link.origin}, which only the machine of n8n can open. Set n8n's environment variable WEBHOOK_URL to the address under which the recipient reaches n8n, such as https://n8n.example.com/, and restart n8n`,
		},
	];
}
