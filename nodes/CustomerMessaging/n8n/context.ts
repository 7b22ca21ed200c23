import {
	type IConnections,
	type IExecuteFunctions,
	type INode,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ISupplyDataFunctions,
	type NodeExecutionHint,
	sleep,
} from 'n8n-workflow';

import type { Environment, NodeStore, Reply } from '../engine';
import { headerValue, createMask, type Mask } from '../shared/mask';
import { quote } from '../shared/formatting';
import type { NodeMemory } from './memory';
import { post, type PostRequest } from './transport';
import { waiting } from './answerRequest';

export function findStore(context: IExecuteFunctions): NodeStore {
	const workflow = String(context.getWorkflow().id);
	return {
		calls: context.helpers,
		workflow,
		node: `${workflow} ${context.getNode().id}`,
		mayLock: !listNodes(context).some(usesRowOfWorkflow),
	};
}

type SeenNode = Pick<INode, 'type'> & Partial<Pick<INode, 'parameters'>>;

/** The workflow, if n8n shows it. */
interface Seen {
	workflow?: { nodes?: Record<string, SeenNode>; connectionsByDestinationNode?: IConnections };
}

/** See {@link N8n.branch}. */
function findBranch(context: IExecuteFunctions): string | undefined {
	const { name } = context.getNode();
	const later = new Set(context.getChildNodes(name).map((node) => node.name)).add(name);
	const nameBranch = (node: string, output = 0) => `${output} ${node}`;
	const connected = (context as Seen).workflow?.connectionsByDestinationNode?.[name]?.main;
	if (connected) {
		const branches = connected
			.flatMap((connections) => connections ?? [])
			.flatMap(({ node, index }) => (later.has(node) ? [] : [nameBranch(node, index)]));
		if (new Set(branches).size < 2) return undefined;
	}
	let source;
	try {
		source = context.getInputSourceData();
	} catch {
		// n8n throws where the run has no source.
		return undefined;
	}
	if (!source || later.has(source.previousNode)) return undefined;
	return nameBranch(source.previousNode, source.previousNodeOutput);
}

/** The nodes of the workflow. If n8n does not show them, the nodes that are connected with this one. */
function listNodes(context: IExecuteFunctions): SeenNode[] {
	const { workflow } = context as Seen;
	if (workflow?.nodes) return Object.values(workflow.nodes);
	const { name } = context.getNode();
	const withParameters = { includeNodeParameters: true };
	return [
		...context.getParentNodes(name, withParameters),
		...context.getChildNodes(name, withParameters),
	];
}

/** Returns true for a Remove Duplicates whose scope is the workflow, or may be: the lock would make it fail. */
function usesRowOfWorkflow({ type, parameters }: SeenNode): boolean {
	if (!type.endsWith('.removeDuplicates')) return false;
	const { scope = 'node' } = (parameters?.options ?? {}) as { scope?: unknown };
	return scope !== 'node';
}

/** Time after Stop in which n8n's store may note outcomes. */
const GRACE_MS = 400;

/**
 * Waits for work, but no longer than a moment after Stop. The work itself goes on, so that its notes are not lost.
 *
 * @returns undefined if the execution was stopped first
 */
async function untilStopped<T>(
	work: Promise<T>,
	signal: AbortSignal | undefined,
): Promise<T | undefined> {
	if (!signal) return await work;
	let stop = () => {};
	const stopped = new Promise<undefined>((resolve, reject) => {
		stop = () => void sleep(GRACE_MS).then(() => resolve(undefined), reject);
	});
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop);
	try {
		return await Promise.race([work, stopped]);
	} finally {
		// With an option `signal`, Node.js would keep the listener, and with it the run, until the execution ends.
		signal.removeEventListener('abort', stop);
	}
}

/** A credential as n8n decrypted and evaluated it. */
export interface Credential extends ICredentialsDecrypted {
	data: ICredentialDataDecryptedObject;
}

export const secretFields = ['apiKey', 'accessToken'] as const;

/** The parts of n8n that a run uses. Only the node, this file and its neighbors in this folder use n8n's `this`. */
export interface N8n extends Environment, ReturnType<typeof waiting> {
	/** The node, for n8n's errors. */
	node: INode;
	/** A parameter as evaluated for an item, or null if it is absent. Throws n8n's expression errors. */
	read(name: string, index: number): unknown;
	/** A parameter with its expressions unevaluated. */
	raw: (name: string) => unknown;
	/** The value of an expression's code for an item. Throws n8n's expression errors. */
	evaluate: (code: string, index: number) => unknown;
	/** A credential as evaluated for an item, by default the first. */
	getCredential(type: string, index?: number): Promise<Credential>;
	/** Hides the secrets of the credential that was read, and of the link that was asked for. */
	mask: Mask;
	/** True if On Error is Continue (using error output). */
	hasErrorOutput: boolean;
	execution: Partial<ReturnType<typeof readExecution>> & { id: string; mode: string };
	/** Calls of `execute()` that n8n may make for one run of the node in one execution. */
	maxTries: number;
	/** True if an AI agent calls the node as a tool. */
	isTool: boolean;
	/** True if n8n gives this call another call's arguments, which agents that work in batches cause. */
	hasOthersArguments: boolean;
	/** True if the node asks a person to review what an AI agent wants to do. */
	isReview: boolean;
	/** IANA timezone of the workflow. */
	workflowZone: string;
	/** Sends one POST request with n8n's authentication and returns the reply, masked. Never throws. */
	post(request: PostRequest): Promise<Reply>;
	/** n8n's store of processed items. */
	store(): NodeStore;
	/** The memory that n8n keeps for this node in one execution, with the run of the node and the execution. */
	memory(): { context: NodeMemory; runIndex: number; execution: string };
	/**
	 * The branch of the workflow from which this run got its input. Undefined if only one leads here, if the input
	 * returns from a later node, or if n8n does not give it.
	 */
	branch: () => string | undefined;
	/** Shows hints with the output, masked. */
	showHints(hints: readonly NodeExecutionHint[]): void;
}

export function connect(context: IExecuteFunctions, goesOnAfterFailure: boolean): N8n {
	const node = context.getNode();
	const secrets: string[] = [];
	let mask = createMask(secrets);
	const hide = (...more: string[]) => {
		secrets.push(...more.filter((secret) => !secrets.includes(secret)));
		mask = createMask(secrets);
	};
	const stop = context.getExecutionCancelSignal();
	const execution = readExecution(context);
	const isReview = node.type.endsWith('HitlTool');
	const runIndex = () => context.getWorkflowDataProxy(0).$runIndex as number;
	const runsOfTool = (context as Partial<ISupplyDataFunctions>).getNextRunIndex?.();
	return {
		...waiting(context, runIndex, hide),
		node,
		read: (name, index) => context.getNodeParameter(name, index, null),
		raw: (name) => context.getNodeParameter(name, 0, null, { rawExpressions: true }),
		evaluate: (code, index) => context.evaluateExpression(`{{ ${code} }}`, index),
		async getCredential(type, index = 0) {
			const data = await context.getCredentials(type, index);
			hide(...readSecrets(data));
			const { id, name = '' } = node.credentials?.[type] ?? {};
			return { id: id ?? '', name, type, data };
		},
		get mask() {
			return mask;
		},
		stopsOnFailure: !goesOnAfterFailure,
		hasErrorOutput: node.onError === 'continueErrorOutput',
		execution,
		// As n8n's engine reads the node's settings.
		maxTries: node.retryOnFail === true ? Math.min(5, Math.max(2, node.maxTries || 3)) : 1,
		// isToolExecution() does not exist before n8n 2. In all versions, the node type of a tool ends in Tool.
		isTool: !isReview && (node.type.endsWith('Tool') || context.isToolExecution?.() === true),
		// n8n appends the arguments of each call to a list, and reads those at the run index.
		hasOthersArguments: runsOfTool !== undefined && runsOfTool !== runIndex() + 1,
		isReview,
		get workflowZone() {
			return context.getTimezone();
		},
		clock: { now: steadyNow, sleep },
		now: () => Date.now(),
		random: Math.random,
		post: async (request) => await post(context, request, mask),
		stop,
		cancelled: () => stop?.aborted === true,
		untilStopped: async (work) => await untilStopped(work, stop),
		store: () => findStore(context),
		memory: () => ({
			context: context.getContext('node'),
			runIndex: runIndex(),
			execution: execution.id,
		}),
		branch: () => findBranch(context),
		log: (message, level = 'info') =>
			context.logger[level](mask.text(`${nameExecution(context)}: ${message}`)),
		showHints: (hints) =>
			context.addExecutionHints(
				...hints.map((hint) => ({ ...hint, message: mask.text(hint.message) })),
			),
	};
}

/** Names the source of a line in n8n's log, to which many workflows write. */
function nameExecution(context: IExecuteFunctions): string {
	const { id, name } = context.getWorkflow();
	const workflow = ['workflow', name && quote(name), id && `(${id})`].filter(Boolean).join(' ');
	return `${quote(context.getNode().name)} in ${workflow}, execution ${context.getExecutionId()}`;
}

/** The secrets of a credential. A value that cannot be sent in a header is refused, so it is no secret. */
export function readSecrets(data: ICredentialDataDecryptedObject): string[] {
	return secretFields
		.map((field) => data[field])
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map((value) => `${value}`.trim())
		.filter((secret) => headerValue.test(secret));
}

/** Facts that n8n gives about the execution. */
function readExecution(context: IExecuteFunctions) {
	// Older versions of n8n 1 do not have this function.
	const origin = context.getExecutionContext?.();
	return {
		id: context.getExecutionId(),
		/** n8n's mode: `manual`, `trigger`, `webhook`, `retry` … */
		mode: context.getMode(),
		/**
		 * The start of the first execution, in epoch milliseconds. n8n passes this and `firstMode` on to every retry. If
		 * n8n stored neither, they are those of the retry itself, with the mode `retry`.
		 */
		establishedAtMs: origin?.establishedAt,
		firstMode: origin?.source,
		/** The execution that called this one as a sub-workflow. */
		callerId: origin?.parentExecutionId,
		/** The type of the node that began the outermost of the calling executions. n8n 1 does not give it. */
		firstNodeType: origin?.triggerNode?.type,
	};
}

/**
 * Epoch milliseconds, counted from the start of this process, even if the clock was set later. The pace keeps it, so it
 * must not be made within a run, which it would then hold in memory.
 */
function steadyNow(): number {
	return Math.round(performance.timeOrigin + performance.now());
}
