import type { Run } from '../../run/resolveRun';
import { formatWhen } from '../../schedule/formatting';
import { isRecord } from '../../fields/field';
import type { Schedule } from '../../shared/delivery';
import { count } from '../../shared/formatting';
import type { PreviewResult } from '../../shared/result';
import { emailPage } from './email';
import type { Message } from './fields';
import { html, Html } from '../../shared/html';
import { pushPage } from './push';
import { smsPage } from './sms';
import { baseStyle, emailStyle, pushStyle, smsStyle } from './styles';

/** Holds for the page as a file. n8n's viewer ignores it, so the page must be harmless without it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Shows a message as its recipients will see it: an HTML page without scripts that loads nothing.
 * Undefined if the operation sends no message.
 *
 * @param worst what is worst about it among all messages of the run
 */
export function previewPage(
	{ delivery, body }: PreviewResult,
	{ resource, operation }: Pick<Run, 'resource' | 'operation'>,
	worst?: string,
): string | undefined {
	if (!isRecord(body)) return undefined;
	const message = { body, delivery, operation, when: describeTime(delivery.schedule) };
	const view = renderView(resource, message);
	if (!view) return undefined;
	const { name, style, content } = view;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta http-equiv="content-security-policy" content="${policy}" />
				<meta name="viewport" content="width=device-width" />
				<title>Preview</title>
				<style>
					${new Html(baseStyle + style)}
				</style>
			</head>
			<body>
				<div class="page">
					<div class="head">
						<h1>${name}: ${operation.name}</h1>
						<span class="badge">Preview of item ${delivery.itemIndex}</span>
						${worst && html`<span class="badge">Of all messages: ${worst}</span>`}
					</div>
					<div class="sheet">${content}</div>
				</div>
			</body>
		</html> `.text;
}

function renderView(resource: string, message: Message) {
	const { platform } = message.delivery;
	if (resource === 'push' && platform)
		return { name: 'Push', style: pushStyle, content: pushPage(message, platform) };
	if (resource === 'sms') return { name: 'SMS', style: smsStyle, content: smsPage(message) };
	if (resource === 'email')
		return { name: 'Email', style: emailStyle, content: emailPage(message) };
	return undefined;
}

function describeTime(schedule: Schedule | undefined): string {
	switch (schedule?.kind) {
		case 'at':
			return formatWhen(schedule.instantMs, schedule.zone);
		case 'delay':
			return `${count(schedule.seconds, 'second')} after it is sent`;
		default:
			return 'Now';
	}
}
