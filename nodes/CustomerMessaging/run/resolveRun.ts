import type { INodeExecutionData } from 'n8n-workflow';

import { type FormParameter, isRecord, otherPeople } from '../fields/field';
import { refuseMoved } from '../fields/segment';
import { resources } from '../operations';
import { channels } from '../operations/channels';
import { customRequest } from '../operations/customRequest';
import { limits, USUAL_LIMIT } from '../operations/limits';
import { hostNames, type Host, type Operation, type Resource } from '../operations/operation';
import {
	type Account,
	type Authentication,
	credentialTypes,
	isAuthentication,
	readAccount,
} from './account';
import { differingFields } from './expressions';
import { readForRun } from './parameters';
import { errorMessage } from '../shared/formatting';
import { type Problem, isProblem } from '../shared/ending';
import { Slice } from '../shared/slices';
import type { Credential, N8n } from '../n8n/context';
import { optionsForm, readSettings, type Settings, usualConcurrency } from './options';
import { type History, readHistory, sendOnceForm, zoneProblem } from './sendOnce';
import { refuseAsk, guardForm, type Mode, readMode, rowsToMany } from './guards';
import { leftToModel } from './leftToModel';

const [{ value: defaultResource }] = channels;

/** The parameters that select the credential and the operation, in the order of the form. */
export const runParameters: readonly FormParameter[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		...otherPeople,
		type: 'options',
		default: 'apiKey',
		options: [
			{ name: 'API Key', value: 'apiKey' },
			{ name: 'Partner Token', value: 'partnerToken' },
		],
	},
	{
		displayName: 'Resource',
		name: 'resource',
		...otherPeople,
		type: 'options',
		noDataExpression: true,
		default: defaultResource,
		options: resources.map(({ name, value }) => ({ name, value })),
	},
	// n8n's human review of AI agents asks through the first resource with an operation that can wait.
	...[...new Set([channels[0], ...resources])].map(operationChoice),
];

function operationChoice({ value, operations, defaultOperation }: Resource): FormParameter {
	return {
		displayName: 'Operation',
		name: 'operation',
		...otherPeople,
		type: 'options',
		noDataExpression: true,
		default: defaultOperation,
		options: operations.map(({ name, value: operation, action, description }) => ({
			name,
			value: operation,
			action,
			description,
		})),
		displayOptions: { show: { resource: [value] } },
	};
}

/** Everything that is the same for all rows of a run. */
export interface Run {
	resource: string;
	operation: Operation;
	target: NonNullable<Resource['target']>;
	/** The address that the paths of requests are added to: scheme, host, port, and a path if the account has one. */
	origin: string;
	/** Read once, so that changes during the run have no effect. */
	credential: Credential;
	account: Account;
	/** Requests that the account may make in a minute. */
	perMinute: number;
	/** Requests that may be in flight. */
	concurrency: number;
	settings: Settings;
	/** The fields whose expressions differ by themselves. */
	differing: ReturnType<typeof differingFields>;
	history: History;
	/** True if On Error lets the workflow go on after a failure. Then n8n's Retry does not run the node again. */
	goesOn?: boolean;
	mode: Mode;
	/** True if broadcasts need a key of Send Once, because each call may be an execution of its own. */
	needsOnceKey: boolean;
}

/** A run as far as it could be read. */
export type KnownRun = Pick<Run, 'history'> & Partial<Run>;

/** A run, or the problems that keep all of its rows from being sent. */
type Resolved = { run: KnownRun; problems: Problem[] } | { run: Run; problems?: undefined };

/** The parameters that most operations have. */
export const commonParameters = [...runParameters, ...guardForm, ...sendOnceForm(), optionsForm];
/** The parameters that are the same for all rows, also of a custom request. The key of Send Once may differ. */
const formOfRun = [
	...commonParameters.filter(({ name }) => name !== 'sendOnceKey'),
	...customRequest.operations
		.flatMap(({ form }) => form)
		.filter(({ name }) => name === 'host' || name === 'api'),
];

/** Reads and validates the settings of a run. Returns the problems if nothing can be sent. */
export async function resolveRun(
	n8n: N8n,
	items: readonly INodeExecutionData[],
): Promise<Resolved> {
	const history = readHistory(n8n);
	const known = { history, goesOn: !n8n.stopsOnFailure };
	const refused = (problems: Problem[], about: Partial<Run> = {}): Resolved => ({
		run: { ...known, ...about },
		problems,
	});
	if (n8n.hasOthersArguments) {
		const rule =
			"n8n gave this call another call's arguments. Set Batch Size to 1 in the AI Agent, or add the agent anew";
		return refused([{ field: 'operation', rule }]);
	}
	const leftOfAll = leftToModel(commonParameters, n8n);
	if (leftOfAll.length > 0) return refused(leftOfAll);

	const rows = items.map(({ json }) => json);
	const { parameters, problems: misread } = readForRun(formOfRun, n8n, rows[0]);
	if (misread.length > 0) return refused(misread);

	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(({ value }) => value === parameters.operation);
	const authentication = parameters.authentication ?? 'apiKey';
	if (!resource || !operation || !isAuthentication(authentication)) {
		const rule = 'Resource, Operation or Authentication is not known. Select them again';
		return refused([{ field: 'operation', rule }]);
	}
	const about = { resource: resource.value, operation };
	const left = leftToModel(operation.form, n8n);
	if (left.length > 0) return refused(left, about);

	const chosen = readSettings(parameters, operation);
	const target = findTarget(resource, parameters);
	const found = await readCredential(authentication, items.length, n8n);
	const problems = [chosen, found, target].flatMap((read) =>
		'problems' in read ? (read.problems ?? []) : [],
	);
	if (!chosen.settings || !('account' in found) || !('host' in target))
		return refused(problems, about);

	const { settings } = chosen;
	const { account, credential } = found;
	const mode = await readMode({ ...about, settings, history, credential }, rows, n8n);
	if ('problems' in mode) return refused(mode.problems, about);
	const origin = account.hosts[target.host];
	const sends = mode.kind === 'send';
	const toMany = sends ? rowsToMany(operation, n8n.raw) : 'none';
	const needsOnceKey = toMany !== 'none' && (n8n.isTool || history.isSubWorkflow === true);
	// By hand, a run whose Recipient By is an expression sends to single people only.
	const isOnceADay = toMany === 'all' && history.startedByHand === true;
	const period = settings.sendOnce ? settings.sendOncePeriod : isOnceADay ? 'day' : 'ever';
	const more = n8n.raw('additionalFields');
	const segments = [n8n.raw('segment_id'), isRecord(more) && more.segment_id];
	// Creating a user again does no harm.
	const mustKnow = sends && history.isRetry && operation.isIdempotent !== true;
	const refusals = [
		...segments.map((segment) => refuseMoved(segment, account.segmentNames)),
		...(operation.waits ? refuseAsk(items.length, origin, settings, n8n) : []),
		zoneProblem(period, n8n.workflowZone),
		mustKnow && refuseRetry(history, n8n.node.id),
	].filter(isProblem);
	if (refusals.length > 0) return refused(refusals, about);
	const perMinute = account.limits[target.api] ?? USUAL_LIMIT;
	const concurrency = settings.concurrency ?? usualConcurrency(perMinute);
	const differing = differingFields(operation, n8n);
	const read = { target, origin, credential, account, perMinute, concurrency, settings };
	return { run: { ...known, ...about, ...read, differing, mode, needsOnceKey } };
}

export const checkAccount =
	'Check in the account what was sent, then start the workflow from its trigger with the items that are missing';

/** Refuses a retry that cannot know what was sent before. */
function refuseRetry(history: History, nodeId: string): Problem | undefined {
	const isLost = history.wasInterrupted || history.establishedAtMs === undefined;
	if (!isLost && (history.nodeId ?? nodeId) === nodeId) return undefined;
	const rule = isLost
		? `This is a retry of an execution that was interrupted, and n8n stored neither how it was started nor what it had sent. ${checkAccount}. If Send Once was on then and is on now, start it with all items instead: what was sent is skipped`
		: `This node is not the one that ran in the execution before: it was cut and pasted, or replaced by a copy. So n8n does not know what that one has sent. ${checkAccount}`;
	return { field: 'execution', rule };
}

/** The host and rate limit of a run. For a custom request, the user chooses them. */
function findTarget({ target }: Resource, parameters: Record<string, unknown>) {
	if (target) return target;
	const host = (Object.keys(hostNames) as Host[]).find((one) => one === parameters.host);
	const api = limits.find((one) => one.api === parameters.api)?.api;
	if (host && api) return { host, api };
	const [field, label] = host ? ['api', 'Rate Limit'] : ['host', 'Host'];
	return { problems: [{ field, rule: `${label} is not known. Select it again` }] };
}

type CredentialSource = Pick<N8n, 'getCredential' | 'isTool' | 'isReview' | 'clock' | 'cancelled'>;

/** Reads the credential. If n8n cannot provide it, the problem contains n8n's message. */
async function readCredential(
	authentication: Authentication,
	itemCount: number,
	n8n: CredentialSource,
): Promise<{ account: Account; credential: Credential } | { problems: Problem[] }> {
	const refuse = (rule: string) => ({ problems: [{ field: 'credential', rule }] });
	let credential;
	try {
		credential = await n8n.getCredential(credentialTypes[authentication]);
	} catch (error) {
		return refuse(errorMessage(error));
	}
	const read = readAccount(authentication, credential.data);
	if ('problems' in read) return read;
	const rule = await differingByItem(credential, itemCount, n8n);
	return rule === undefined ? { ...read, credential } : refuse(rule);
}

/** Says why the first item's credential cannot be used for all items; undefined if it can. */
async function differingByItem(
	{ type, data }: Credential,
	itemCount: number,
	n8n: CredentialSource,
): Promise<string | undefined> {
	const isOfModel = n8n.isTool || n8n.isReview;
	if (itemCount === 1 && !isOfModel) return undefined;
	const differs = async (index: number) => {
		try {
			const other = await n8n.getCredential(type, index);
			return JSON.stringify(other.data) !== JSON.stringify(data);
		} catch {
			return true;
		}
	};
	// Past the last item, an expression that reads it fails or changes. Each reading takes n8n some milliseconds.
	if (!(await differs(itemCount))) return undefined;
	if (isOfModel)
		return 'The credential is left to the model, because one of its expressions reads the item, in which n8n puts what the model wrote. Set it to a fixed value';
	const slice = new Slice(n8n.clock);
	for (let index = 1; index < itemCount && !n8n.cancelled(); index++) {
		if (slice.isOver) await slice.next();
		if (await differs(index))
			return `For item ${index}, the credential gives other values, but a run uses the account of item 0. Separate the items with a Switch node, and send them by several of these nodes, each with a credential of its own`;
	}
	return undefined;
}
