import type { Operation, Resource } from '../../../../nodes/CustomerMessaging/operations/operation';
import { email } from '../../../../nodes/CustomerMessaging/operations/email';
import { push } from '../../../../nodes/CustomerMessaging/operations/push';
import { sms } from '../../../../nodes/CustomerMessaging/operations/sms';
import { previewPage } from '../../../../nodes/CustomerMessaging/report/preview';
import type { Body, Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';

function operationOf({ operations }: Resource, name: string): Operation {
	const operation = operations.find(({ value }) => value === name);
	if (!operation) throw new Error(`No such operation: ${name}`);
	return operation;
}

/** The page of one message. */
export function pageOf(
	resource: Resource,
	body: Body,
	delivery: Partial<Delivery> = {},
	operation = 'send',
): string {
	const whole = { itemIndex: 0, path: '/', buildBody: () => body, ...delivery };
	const page = previewPage(
		{ kind: 'preview', url: 'https://api.example.com/', delivery: whole, body },
		{ resource: resource.value, operation: operationOf(resource, operation) },
	);
	if (page === undefined) throw new Error('There is no page');
	return page;
}

export const pushPageOf = (body: Body, delivery: Partial<Delivery> = {}) =>
	pageOf(push, body, { platform: 'web', ...delivery });
export const smsPageOf = (body: Body) => pageOf(sms, body);
export const emailPageOf = (body: Body) => pageOf(email, body);

/** What a page shows after its head. */
export function bodyOf(page: string): string {
	return page.slice(page.indexOf('<body>'));
}

/** A page's body without the tags that it may hold. Only text remains, unless there is other markup. */
export function withoutKnownTags(page: string): string {
	const tags =
		'body html div p span br hr b strong i em u s sub sup small h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr td th dl dt dd blockquote pre code bdi'.replace(
			/ /g,
			'|',
		);
	return bodyOf(page).replace(
		new RegExp(`</?(${tags})( (class|style)="[^"<>]*")*\\s*/?>`, 'g'),
		'',
	);
}
