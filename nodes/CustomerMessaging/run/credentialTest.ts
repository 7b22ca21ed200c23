import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	type Account,
	type Authentication,
	checkConveniences,
	credentialTypes,
	readAccount,
} from './account';
import { type Host, hostNames } from '../operations/operation';
import { pushQuestion, type Question, userQuestion } from '../operations/question';
import { trimmed } from '../shared/headerValue';
import { createMask } from '../shared/mask';
import { isWebPage } from '../shared/reply';

const timeoutMs = 10_000;

/**
 * Tests a credential without sending anything to anyone. It asks the service to create an empty list
 * of users, which is answered 400 once the credentials are accepted (spec §5, §7). It then checks
 * that the push host has the push API, and that each host sends any response at all.
 */
export async function testAccount(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const authentication = type === credentialTypes.partnerToken ? 'partnerToken' : 'apiKey';
	const read = readAccount(authentication, data);
	const problems = 'problems' in read ? read.problems : checkConveniences(data);
	if ('problems' in read || problems.length > 0)
		return failed(problems.map(({ message }) => message).join('; '));

	// In every n8n version, this deprecated helper is the only one available to credential tests.
	const { request } = this.helpers;
	const ask: Ask = async (origin, question) => {
		try {
			return (await request({
				method: 'POST',
				uri: origin + question.path,
				headers: {
					accept: 'application/json',
					'content-type': 'application/json',
					...authenticationHeaders(authentication, data),
				},
				body: question.body,
				json: true,
				simple: false,
				followRedirect: false,
				resolveWithFullResponse: true,
				timeout: timeoutMs,
			})) as Answer;
		} catch (error) {
			return { unreachable: createMask([read.account.secret]).text(explainReason(error)) };
		}
	};
	return await resultFor(read.account, ask);
}

interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	/** JSON if it can be parsed, and otherwise text. */
	body?: unknown;
}
type Answer = Response | { unreachable: string };
type Ask = (origin: string, question: Question) => Promise<Answer>;

async function resultFor({ hosts }: Account, ask: Ask): Promise<INodeCredentialTestResult> {
	const { baseUrl } = hosts;
	const answer = await ask(baseUrl, userQuestion);
	if ('unreachable' in answer) return failed(notReached(baseUrl, answer.unreachable));
	const refusal = explainRefusal(answer, baseUrl);
	if (refusal) return failed(refusal);

	const others = [...new Set([hosts.pushUrl, hosts.mailUrl])].filter(
		(origin) => origin !== baseUrl,
	);
	for (const origin of new Set([hosts.pushUrl, hosts.mailUrl])) {
		const isPush = origin === hosts.pushUrl;
		if (!isPush && origin === baseUrl) continue;
		const other = await ask(origin, isPush ? pushQuestion : userQuestion);
		if ('unreachable' in other) {
			return failed(
				`${baseUrl} accepts the credentials, but ${lowerFirst(notReached(origin, other.unreachable))}`,
			);
		}
		const mistake = isPush
			? explainAddress(other, origin, 'push API', 'pushUrl')
			: explainPage(other, origin, 'mailUrl');
		if (mistake) return failed(`${baseUrl} accepts the credentials, but ${lowerFirst(mistake)}`);
	}
	return {
		status: 'OK',
		message: `${baseUrl} accepts the credentials.${
			others.length > 0
				? ` ${others.join(' and ')} can be reached. The first message will show whether the credentials are valid there.`
				: ''
		} Nothing was sent to anyone.`,
	};
}

function explainRefusal(answer: Response, origin: string): string | undefined {
	const { statusCode } = answer;
	if (statusCode === 401) {
		return `Invalid credentials: ${origin} answered 401. Enter them again. A key that was replaced no longer works`;
	}
	const mistake = explainAddress(answer, origin, 'user API', 'baseUrl');
	if (mistake) return mistake;
	if (statusCode === 429) {
		return `${origin} answered 429: the rate limit is used up, so the credentials could not be tested. Try again in a minute`;
	}
	if (statusCode === 400 || (statusCode >= 200 && statusCode < 300)) return undefined;
	return `${origin} answered ${statusCode}, which says nothing about the credentials. Check the 'User and Event Address', or try again later`;
}

/** Says that an address belongs to something else than the API that should be there. */
function explainAddress(
	answer: Response,
	origin: string,
	api: string,
	host: Host,
): string | undefined {
	if (answer.statusCode === 404)
		return `Wrong address: ${origin} answered 404 where the ${api} should be. Check the '${hostNames[host]}'`;
	return explainPage(answer, origin, host);
}

/** Says that an address answers with a web page. The content type alone does not tell: services send JSON with that of a page. */
function explainPage(
	{ statusCode, headers, body }: Response,
	origin: string,
	host: Host,
): string | undefined {
	const text = typeof body === 'string' ? body : '';
	const isHtml = String(headers['content-type']).includes('text/html');
	if (!isWebPage(text) && !(isHtml && text.trimStart().startsWith('<'))) return undefined;
	return `Wrong address: ${origin} answered with a web page (${statusCode}), not as an API. Check the '${hostNames[host]}'`;
}

function notReached(origin: string, reason: string): string {
	return `Address not reached: no answer came from ${origin} (${reason}). Check the address and the network of this n8n`;
}

function authenticationHeaders(
	authentication: Authentication,
	{ brandId, apiKey, accessToken }: ICredentialDataDecryptedObject,
) {
	return authentication === 'partnerToken'
		? { Authorization: `Bearer ${trimmed(accessToken)}` }
		: { 'x-api-key': trimmed(apiKey), 'x-brand-id': trimmed(brandId) };
}

function explainReason(error: unknown): string {
	const { code, message } = error as { code?: string; message?: string };
	return code ?? message ?? 'no reason given';
}

function lowerFirst(sentence: string): string {
	return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
