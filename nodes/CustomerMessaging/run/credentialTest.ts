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
import { userQuestion } from '../operations/question';
import { createMask } from '../shared/mask';

const timeoutMs = 10_000;

/**
 * Tests a credential without sending anything to anyone. It asks the service to create an empty list
 * of users, which is answered 400 once the credentials are accepted (spec §5, §7). It then checks
 * that each of the other hosts sends any response at all.
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
	const ask = async (origin: string): Promise<Answer> => {
		try {
			return (await request({
				method: 'POST',
				uri: origin + userQuestion.path,
				headers: {
					accept: 'application/json',
					'content-type': 'application/json',
					...authenticationHeaders(authentication, data),
				},
				body: userQuestion.body,
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

type Answer = { statusCode: number; headers: Record<string, unknown> } | { unreachable: string };

async function resultFor(
	{ hosts }: Account,
	ask: (origin: string) => Promise<Answer>,
): Promise<INodeCredentialTestResult> {
	const { baseUrl } = hosts;
	const answer = await ask(baseUrl);
	if ('unreachable' in answer) return failed(notReached(baseUrl, answer.unreachable));
	const refusal = explainRefusal(
		answer.statusCode,
		String(answer.headers['content-type']),
		baseUrl,
	);
	if (refusal) return failed(refusal);

	const others = [...new Set([hosts.pushUrl, hosts.mailUrl])].filter(
		(origin) => origin !== baseUrl,
	);
	for (const origin of others) {
		const other = await ask(origin);
		if ('unreachable' in other) {
			return failed(
				`${baseUrl} accepts the credentials, but ${lowerFirst(notReached(origin, other.unreachable))}`,
			);
		}
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

function explainRefusal(
	statusCode: number,
	contentType: string,
	origin: string,
): string | undefined {
	if (statusCode === 401) {
		return `Invalid credentials: ${origin} answered 401. Enter them again. A key that was replaced no longer works`;
	}
	if (statusCode === 404) {
		return `Wrong address: ${origin} answered 404 where the user API should be. Check the 'User and Event Address'`;
	}
	if (contentType.includes('text/html')) {
		return `Wrong address: ${origin} answered with a web page (${statusCode}), not as an API. Check the 'User and Event Address'`;
	}
	if (statusCode === 429) {
		return `${origin} answered 429: the rate limit is used up, so the credentials could not be tested. Try again in a minute`;
	}
	if (statusCode === 400 || (statusCode >= 200 && statusCode < 300)) return undefined;
	return `${origin} answered ${statusCode}, which says nothing about the credentials. Check the 'User and Event Address', or try again later`;
}

function notReached(origin: string, reason: string): string {
	return `Address not reached: no answer came from ${origin} (${reason}). Check the address and the network of this n8n`;
}

function authenticationHeaders(
	authentication: Authentication,
	{ brandId, apiKey, accessToken }: ICredentialDataDecryptedObject,
) {
	return authentication === 'partnerToken'
		? { Authorization: `Bearer ${accessToken as string}` }
		: { 'x-api-key': apiKey, 'x-brand-id': brandId };
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
