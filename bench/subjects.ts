import type { NodeJson } from '../scripts/n8n/client';
import { messaging, pushToRow } from '../scripts/n8n/workflows';
import { benchType } from './nodes/package';

export type Parameters = Record<string, unknown>;

/** The IDs of credentials of one account: this node's, and n8n's *Custom Auth*, which adds the same headers. */
export interface Credentials {
	own: string;
	headers: string;
}

/** A node that takes part in a measurement; `settings` are n8n's own, such as On Error. */
export type Subject = (credentials: Credentials, sandboxUrl: string) => NodeJson;

const PUSH_PATH = '/api/v1/web/send';
const NAME = 'Subject';

/** The types of {@link Credentials}. */
export const OWN = 'customerMessagingApi';
export const HEADERS = 'httpCustomAuth';

const fields = { user_id: '={{ $json.userID }}', message: '=For {{ $json.userID }}' };
/** The same values, by columns with a fallback. */
export const fallbackExpressions = {
	user_id: '={{ $json.userID ?? "nobody" }}',
	message: '=For {{ $json.name || $json.userID }}',
};
/** The same values, by expressions that only n8n's engine can evaluate. */
export const otherExpressions = {
	user_id: '={{ $json.userID.trim() }}',
	message: '=For {{ $json.userID.trim() }}',
};
const constants = { title: 'Hello', url: 'https://shop.example.com/' };

/** Our node, pushing to the user of each row. */
export const ourPush =
	(settings: Parameters = {}, options: Parameters = {}, more: Parameters = {}): Subject =>
	({ own }) =>
		linked(
			messaging(
				NAME,
				{ ...pushToRow, ...fields, ...more, options: { maxMessages: 1_000_000, ...options } },
				settings,
			),
			own,
		);

/** Our node, sending an email for each row, with the row's name before its text. */
export const ourEmail: Subject = ({ own }) => {
	const email = {
		resource: 'email',
		operation: 'send',
		recipientBy: 'email',
		email: '={{ $json.email }}',
		senderFrom: 'define',
		sender_name: 'Shop',
		sender_email: 'shop@example.com',
		serviceproviderID: 7,
		subject: 'Hello',
		campaign_name: 'Spring',
		content: '=<p>Dear {{ $json.name }},</p>{{ $json.content }}',
		options: { maxMessages: 1_000_000 },
	};
	return linked(messaging(NAME, email, {}), own);
};

/** Our node, creating the users of all rows, 100 per request unless told otherwise. */
export const ourUsers =
	(options: Parameters = {}): Subject =>
	({ own }) =>
		linked(
			messaging(NAME, {
				resource: 'user',
				operation: 'create',
				dataMode: 'autoMapInputData',
				userIdField: 'userID',
				options,
			}),
			own,
		);

/** n8n's HTTP Request, pushing the same. */
export const httpPush =
	(
		options: Parameters = {},
		settings: Parameters = {},
		more: Record<string, string> = {},
	): Subject =>
	({ headers }, url) => {
		const body = { ...fields, ...constants, ...more };
		return httpRequest(headers, url + PUSH_PATH, keypairs(body), options, settings);
	};

/** A bare loop over n8n's HTTP helper, reading the fields of each row or not. */
export const floor =
	(readsEachRow: boolean): Subject =>
	({ headers }, url) =>
		bench('benchFloor', { address: url + PUSH_PATH, ...fields, readsEachRow }, headers);

export const passThrough: Subject = () => bench('benchPassThrough', {});

/** n8n's own batching: so many items, then a pause. */
export const batching = (batchSize: number, batchInterval: number): Parameters => ({
	batching: { batch: { batchSize, batchInterval } },
});

function keypairs(body: Record<string, string>): Parameters {
	const parameters = Object.entries(body).map(([name, value]) => ({ name, value }));
	return { specifyBody: 'keypair', bodyParameters: { parameters } };
}

function httpRequest(
	credentialId: string,
	url: string,
	body: Parameters,
	options: Parameters,
	settings: Parameters,
): NodeJson {
	const parameters = {
		method: 'POST',
		url,
		authentication: 'genericCredentialType',
		genericAuthType: HEADERS,
		sendBody: true,
		contentType: 'json',
		...body,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'accept', value: 'application/json' }] },
		options,
	};
	return linked(
		{ ...node('n8n-nodes-base.httpRequest', NAME, parameters), typeVersion: 4.2, ...settings },
		credentialId,
		HEADERS,
	);
}

export function node(type: string, name: string, parameters: Parameters): NodeJson {
	return {
		id: name.toLowerCase().replaceAll(' ', '-'),
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
}

function bench(name: string, parameters: Parameters, credentialId?: string): NodeJson {
	const built = node(benchType(name), NAME, parameters);
	return credentialId === undefined ? built : linked(built, credentialId, HEADERS);
}

function linked(built: NodeJson, id: string, type = OWN): NodeJson {
	return { ...built, credentials: { [type]: { id, name: 'Bench' } } };
}
