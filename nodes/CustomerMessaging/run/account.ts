import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { z } from 'zod';

import { problemsOf } from '../fields/field';
import type { Problem } from '../shared/problem';
import { quote } from '../shared/formatting';
import { parseUrl } from '../fields/link';
import { filledText, trimmedText } from '../fields/text';
import { wholeNumber } from '../fields/values';
import { pathProblem } from '../operations/customPath';
import { type DefaultSenders, type Host, hostNames } from '../operations/operation';
import { checkDefaultSenders, pickDefaultSenders } from '../operations/sender';
import { checkFormat } from '../schedule/checkFormat';
import { defaultScheduleFormat, type ScheduleFormat } from '../schedule/scheduleFormat';
import { type Api, apiNames, apis, defaultEventPath, defaultLimits } from '../shared/apis';
import { readSegments } from './segments';

/** The account that a credential describes, validated. */
export interface Account {
	/** Origins, without a slash at the end. */
	hosts: Record<Host, string>;
	/** Requests per minute (spec §8). */
	limits: Record<Api, number>;
	format: ScheduleFormat;
	/** Absent if their switch is off. Validated where they are used, so that others can be sent. */
	senders?: DefaultSenders;
	/** The path of the event API, which the reference does not show (spec §4.1). */
	eventPath: string;
	/** Identifies the account to the service. Stored only as a hash. */
	identity: string;
	/** Must never appear in output or logs. */
	secret: string;
}

/** The values of the node's parameter `authentication`, with the credential each one uses. */
export const credentialTypes = {
	apiKey: 'customerMessagingApi',
	partnerToken: 'customerMessagingPartnerApi',
} as const;
export type Authentication = keyof typeof credentialTypes;

export function isAuthentication(value: unknown): value is Authentication {
	return typeof value === 'string' && Object.hasOwn(credentialTypes, value);
}

const hosts = z.object({
	baseUrl: origin(hostNames.baseUrl),
	pushUrl: origin(hostNames.pushUrl),
	mailUrl: origin(hostNames.mailUrl),
});

const secrets = {
	apiKey: z
		.object({ brandId: headerValue('Brand ID'), apiKey: headerValue('API Key') })
		.transform(({ brandId, apiKey }) => ({ identity: brandId, secret: apiKey })),
	partnerToken: z
		.object({ accessToken: headerValue('Access Token') })
		.transform(({ accessToken }) => ({ identity: accessToken, secret: accessToken })),
};

const limits = z.object(
	Object.fromEntries(apis.map((api) => [`${api}Limit`, wholeNumber(`${apiNames[api]} Limit`)])),
);

const format = z.object({
	campaignDateFormat: z.string(),
	campaignTimeFormat: z.string(),
	pushDateFormat: z.string(),
	pushTimeFormat: z.string(),
	eventTimeFormat: z.string(),
	scheduleZone: z.string(),
});

const paths = z.object({
	eventPath: trimmedText('Event Path').superRefine((path, context) => {
		const message = pathProblem(path, 'Event Path');
		if (message) context.addIssue({ code: 'custom', message });
	}),
});

/** Validates a decrypted credential, and returns either the account or a problem for each invalid field. */
export function readAccount(
	authentication: Authentication,
	credential: ICredentialDataDecryptedObject,
): { account: Account } | { problems: Problem[] } {
	const read = z
		.object({
			hosts,
			identity: secrets[authentication],
			limits: credential.customLimits ? limits.partial() : empty,
			format: credential.customSchedule ? format.partial() : empty,
			paths: credential.customPaths ? paths.partial() : empty,
		})
		.safeParse({
			hosts: credential,
			identity: credential,
			limits: credential,
			format: credential,
			paths: credential,
		});
	if (!read.success) return { problems: problemsOf(read.error.issues) };

	const scheduleFormat = { ...defaultScheduleFormat, ...read.data.format };
	const problems = checkFormat(scheduleFormat);
	if (problems.length > 0) return { problems };

	const raised = Object.entries(read.data.limits).map(
		([name, limit]) => [name.replace(/Limit$/, ''), limit] as const,
	);
	return {
		account: {
			hosts: read.data.hosts,
			...read.data.identity,
			limits: { ...defaultLimits, ...Object.fromEntries(raised) },
			format: scheduleFormat,
			senders: pickDefaultSenders(credential),
			eventPath: defaultEventPath,
			...read.data.paths,
		},
	};
}

/**
 * Validates what a credential offers for the convenience of the form. A mistake in it prevents only the
 * rows that use it, but the test of the credential names it.
 */
export function checkConveniences(credential: ICredentialDataDecryptedObject): Problem[] {
	return [
		...checkDefaultSenders(pickDefaultSenders(credential)),
		...readSegments(credential.segments).problems,
	];
}

const empty = z.unknown().transform(() => ({}));

/** Scheme, host and port in their plain form, so that the URL parser has nothing to reinterpret. */
const plainAddress =
	/^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d+)?([/?#]|$)/i;

/** The origin of an HTTPS address, or of an HTTP address on this machine. Any path is dropped. */
function origin(label: string) {
	return trimmedText(label).transform((written, context) => {
		const url = plainAddress.test(written) ? parseUrl(written) : undefined;
		const isLocal = url && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
		const isAllowed = url?.protocol === 'https:' || (isLocal && url.protocol === 'http:');
		if (url && isAllowed) return url.origin;
		context.addIssue({
			code: 'custom',
			// Do not quote an address that may contain a password.
			message: `${label}${written.includes('@') ? '' : ` ${quote(written)}`} cannot be used. Enter an https:// address such as https://api.example.com, without a user name`,
		});
		return z.NEVER;
	});
}

/** A header value: visible ASCII without spaces, so that it cannot add header lines. */
function headerValue(label: string) {
	const rule = `${label} contains a space or a character that cannot be sent. Copy it again`;
	return filledText(label).pipe(z.string().regex(/^[\x21-\x7e]+$/, rule));
}
