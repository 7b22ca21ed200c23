import type { IncomingHttpHeaders } from 'node:http';
import { writeBody, chooseContentType, chooseLocation, chooseStatus } from './answers';
import type { Arrivals, Outcome, Verdict } from './arrivals';
import { acceptsFirst, type Fault, type Faults } from './faults';
import type { Identities } from './identities';
import { readExactJson } from './json';
import type { Limiter } from './limiter';
import type { Operation, Routes } from './routes';
import { headerProblems } from './rules/headers';
import type { Api, HostRole, Problem } from './terms';

export interface Request {
	host: HostRole;
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	rawBody: string;
	/** Whether the body was too large to be read. */
	isTooLarge?: boolean;
}

export interface Answer {
	status: number;
	contentType: string;
	location?: string;
	body: string;
	remaining: number;
	delayMs: number;
}

/** A response, or what happens instead. */
export type Reaction = Answer | 'reset' | 'hang';

interface Judgement {
	verdict: Verdict;
	identity: string | null;
	/** Null if the service does not have the path. */
	operation: Operation | null;
	api: Api;
	problems: Problem[];
}

/** The API of each host, whose limit is reported for unknown paths. */
const apiOfHost: Record<HostRole, Api> = { any: 'user', base: 'user', push: 'push', mail: 'email' };

/** The service of the spec: its response to each request, and its record. */
export class Service {
	constructor(
		private readonly routes: Routes,
		private readonly identities: Identities,
		private readonly limiter: Limiter,
		private readonly faults: Faults,
		private readonly arrivals: Arrivals,
		private readonly maxBodyBytes: () => number,
		private readonly nowMs: () => number,
		private readonly pathPrefix: () => string,
	) {}

	handle({ isTooLarge = false, ...request }: Request): Reaction {
		const judgement = this.judge(request, isTooLarge);
		const fault = this.faultFor(request, judgement);
		const remaining = this.count(judgement, fault);
		const instead = fault?.kind === 'delay' ? undefined : fault;
		const { verdict, identity, operation, problems } = judgement;
		const status = chooseStatus(verdict, instead);

		const seq = this.arrivals.lastSeq + 1;
		const answer = status === null ? null : writeBody(verdict, { seq, problems }, instead);

		this.arrivals.add({
			...request,
			time: this.nowMs(),
			identity,
			api: operation?.api ?? null,
			channel: operation?.channel ?? null,
			platform: operation?.platform ?? null,
			outcome: decideOutcome(verdict, fault),
			accepted: verdict === 'accepted' && (instead === undefined || acceptsFirst(instead)),
			problems,
			status,
			remaining: status === null ? null : remaining,
			answer,
		});

		if (status === null || answer === null) return fault?.kind === 'hang' ? 'hang' : 'reset';
		return {
			status,
			contentType: chooseContentType(instead),
			location: chooseLocation(request.path, instead),
			body: answer,
			remaining,
			delayMs: fault?.kind === 'delay' ? fault.delayMs : 0,
		};
	}

	private judge({ host, method, path, headers, rawBody }: Request, isTooLarge: boolean): Judgement {
		const read = readExactJson(rawBody);
		const body = 'value' in read ? read.value : undefined;
		const [whole = ''] = path.split('?');
		const prefix = this.pathPrefix();
		const route = whole.startsWith(prefix)
			? this.routes.find(whole.slice(prefix.length))
			: undefined;
		const operation = route?.operation(body) ?? null;
		const identity = this.identities.find(headers);
		const api = operation?.api ?? apiOfHost[host];
		const known = { identity, operation, api, problems: [] };

		const isHere = host === 'any' || route?.hosts.includes(host);
		if (operation === null || !isHere || method !== 'POST') {
			return { ...known, verdict: 'notFound' };
		}
		if (identity === null) return { ...known, verdict: 'unauthorized' };
		if (isTooLarge || Buffer.byteLength(rawBody) > this.maxBodyBytes()) {
			return { ...known, verdict: 'tooLarge' };
		}
		if (this.limiter.remaining(identity, api) === 0) return { ...known, verdict: 'rateLimited' };

		const bodyProblems =
			'problem' in read ? [{ path: '', rule: read.problem }] : operation.problems(body);
		const problems = [...headerProblems(headers), ...bodyProblems];
		return { ...known, problems, verdict: problems.length > 0 ? 'rejected' : 'accepted' };
	}

	private faultFor(request: Request, { verdict, operation }: Judgement): Fault | undefined {
		if (['notFound', 'tooLarge', 'rateLimited'].includes(verdict)) return undefined;
		return this.faults.strike({
			path: request.path,
			rawBody: request.rawBody,
			channel: operation?.channel ?? null,
			platform: operation?.platform ?? null,
			acceptable: verdict === 'accepted',
		});
	}

	/** A fault before the request arrives does not count against the limit. Neither do 401, 404, 413 and 429. */
	private count({ verdict, identity, api }: Judgement, fault: Fault | undefined): number {
		const isLostOnTheWay = fault !== undefined && fault.kind !== 'delay' && !acceptsFirst(fault);
		if (identity !== null && !isLostOnTheWay) {
			if (verdict === 'rateLimited') this.limiter.refuse(identity, api);
			if (verdict === 'accepted' || verdict === 'rejected') return this.limiter.take(identity, api);
		}
		return this.limiter.remaining(identity, api);
	}
}

function decideOutcome(verdict: Verdict, fault: Fault | undefined): Outcome {
	return fault ? `fault:${fault.kind}` : verdict;
}
