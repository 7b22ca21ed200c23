import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type ILoadOptionsFunctions,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	NodeOperationError,
} from 'n8n-workflow';

import { isWebPage, judge, redirectTarget, type Reply } from '../engine';
import { readSecrets } from '../n8n/context';
import { byName } from '../fields/field';
import { nameSegment } from '../fields/segment';
import {
	type Authentication,
	authenticationHeaders,
	checkForRows,
	credentialTypes,
	isAuthentication,
	readAccount,
	readSegments,
} from './account';
import { hostNames } from '../operations/operation';
import { healthCheckFor } from '../operations/limits';
import { oneLine, tell } from '../shared/formatting';
import { createMask, type Mask } from '../shared/mask';
import { howToAllow, isN8nRefusal, whyForbidden } from '../shared/ending';

/**
 * Tests a credential without sending anything to anyone. It asks the service to create an empty list
 * of users, which is answered 400, or 422, once the credentials are accepted (spec §5, §7). It then checks that
 * the push API, and the email and SMS API, are at their addresses.
 */
export async function testAccount(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const authentication = type === credentialTypes.partnerToken ? 'partnerToken' : 'apiKey';
	const mask = createMask(readSecrets(data));
	const read = readAccount(authentication, data);
	const problems = 'problems' in read ? read.problems : checkForRows(data);
	if ('problems' in read || problems.length > 0)
		return failed(mask.text(problems.map((problem) => tell(problem)).join('. ')));

	const { hosts } = read.account;
	const { baseUrl } = hosts;
	for (const asked of healthChecks) {
		const origin = hosts[asked.host];
		const headers = authenticationHeaders(authentication, data);
		const answer = await ask(this, { url: origin + asked.path, headers, body: asked.body }, mask);
		const wrongAddress = explainAddress(answer, origin, asked);
		if (asked.host === 'baseUrl') {
			const mistake = wrongAddress ?? explainRefusal(answer, origin, authentication);
			if (mistake !== undefined) return failed(mistake);
		} else if (wrongAddress !== undefined) {
			const rest = wrongAddress.charAt(0).toLowerCase() + wrongAddress.slice(1);
			return failed(`${baseUrl} accepts the credentials, but ${rest}`);
		}
	}
	const others = new Set([hosts.pushUrl, hosts.mailUrl].filter((origin) => origin !== baseUrl));
	const reached =
		others.size > 0 &&
		`${[...others].join(' and ')} can be reached. The first message will show whether the credentials are valid there. `;
	const message = `${baseUrl} accepts the credentials. ${reached || ''}Nothing was sent to anyone.`;
	return { status: 'OK', message };
}

const apis = [
	{ host: 'baseUrl', name: 'user API' },
	{ host: 'pushUrl', name: 'push API' },
	{ host: 'mailUrl', name: 'email and SMS API' },
] as const;
const healthChecks = apis.map((api) => ({ ...api, ...healthCheckFor(api) }));

type Answer = Exclude<Reply, { kind: 'notSent' }>;

/** Sends a request, whose answer it masks. */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	{ url, headers, body }: { url: string; headers: object; body: unknown },
	mask: Mask,
): Promise<Answer> {
	// In every n8n version, this deprecated helper is the only one available to credential tests.
	const { request } = helpers;
	try {
		const answer = (await request({
			method: 'POST',
			uri: url,
			headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
			body,
			json: true,
			simple: false,
			followRedirect: false,
			resolveWithFullResponse: true,
			timeout: 10_000,
		})) as { statusCode: number; headers?: { location?: unknown }; body: unknown };
		const redirectsTo = redirectTarget(url, answer.headers?.location, mask);
		const { statusCode } = answer;
		return { kind: 'answer', statusCode, redirectsTo, body: mask.value(answer.body) };
	} catch (error) {
		const { code = '', message = 'no reason given' } = error as { code?: string; message?: string };
		return { kind: 'failure', code, message: mask.text(code || message) };
	}
}

/** Words in a failure that concern the credentials, and not the empty list. */
const aboutKey =
	/\b(api[ _-]?)?keys?\b|token|brand|auth(?!or\b)|credential|permi(t|ssion)|forbidden|access denied/i;

/** Says that an address leads to nothing, to something other than the API, or to another address. */
function explainAddress(
	answer: Answer,
	origin: string,
	{ host, name, path }: (typeof healthChecks)[number],
) {
	const check = `Check the '${hostNames[host]}'`;
	if (answer.kind === 'failure')
		return isN8nRefusal(answer.message)
			? `Address not reached: n8n refuses to connect to ${origin}. ${howToAllow}`
			: `Address not reached: no answer came from ${origin} (${answer.message}). ${check}, its port included, and the network of this n8n`;
	const { statusCode, body, redirectsTo } = answer;
	if (statusCode === 404)
		return `Wrong address: ${origin} answered 404 where the ${name} should be. ${check}`;
	if (isWebPage(body) && statusCode < 500)
		return `Wrong address: ${origin} answered with a web page (${statusCode}), not as an API. ${check}`;
	if (statusCode < 300 || statusCode >= 400) return undefined;
	return `Wrong address: ${origin}${path} redirects to ${redirectsTo ?? 'another address'} (${statusCode}), which is not followed. ${check}`;
}

function explainRefusal(answer: Answer, origin: string, authentication: Authentication) {
	if (answer.kind === 'failure') return undefined;
	const { statusCode, body } = answer;
	const isKey = authentication === 'apiKey';
	const check = `Check ${isKey ? 'whether Brand ID and API Key are swapped. A key' : 'Access Token. A token'} that was replaced no longer works`;
	if (statusCode === 401) return `Invalid credentials: ${origin} answered 401. ${check}`;
	if (statusCode === 403)
		return `Not permitted: ${origin} answered 403. ${whyForbidden}. If it is none of these: ${check}`;
	if (statusCode === 429)
		return `${origin} answered 429: the rate limit is used up, so the credentials could not be tested. Try again in a minute`;
	if (statusCode >= 200 && statusCode < 300) {
		const isAboutKey = judge(answer).verdict === 'declined' && aboutKey.test(JSON.stringify(body));
		return isAboutKey
			? `Invalid credentials: ${origin} answered ${statusCode}, but says that it failed: ${oneLine(JSON.stringify(body), 300)}. ${check}`
			: undefined;
	}
	if (statusCode === 400 || statusCode === 422) return undefined;
	return `${origin} answered ${statusCode}, which says nothing about the credentials. Check the 'User and Event API URL', or try again later`;
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** Lists the credential's segments for the editor. Makes no request. */
export async function searchSegments(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const chosen = this.getNodeParameter('authentication', 'apiKey');
	const authentication = isAuthentication(chosen) ? chosen : 'apiKey';
	const credential = await this.getCredentials(credentialTypes[authentication]);
	const { names, problems } = readSegments(credential.segments);
	const [problem] = problems;
	const message = problem
		? `In the credential: ${tell(problem)}`
		: "The credential has no segments. Enter them there under 'Segments', one on each line, such as 42 VIP customers, or choose By ID here";
	if (problem || names.size === 0) throw new NodeOperationError(this.getNode(), message);

	const sought = filter.trim().toLowerCase();
	const found = [...names]
		.filter(([id, name]) => name.toLowerCase().includes(sought) || id.startsWith(sought))
		.sort(([, one], [, other]) => byName(one, other));
	return { results: found.map(([id, name]) => ({ name: nameSegment(id, name), value: id })) };
}
