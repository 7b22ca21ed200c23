import fc from 'fast-check';

import { email } from '../../../nodes/CustomerMessaging/operations/email';
import { push } from '../../../nodes/CustomerMessaging/operations/push';
import { sms } from '../../../nodes/CustomerMessaging/operations/sms';
import { previewPage } from '../../../nodes/CustomerMessaging/report/preview';
import type { Body } from '../../../nodes/CustomerMessaging/shared/delivery';
import { propertyRuns, propertySeed } from '../../propertyRuns';

const fields = [
	...['title', 'message', 'url', 'image_url', 'hero_image_url', 'button_one_title'],
	...['button_two_title', 'button_two_url', 'sender_name', 'sender_email', 'subject'],
	...['reply_to', 'email', 'user_id'],
];
const scraps =
	'<,>,",\',/,=, ,&,;,!--,-->,script,style,iframe,img,svg,a,b,p,td,div,table,title,textarea,on,error,src,href,url(,//e.example,javascript:,{,},\0,\u2028,x';
const scrap = fc.constantFrom(...scraps.split(','));
const hostile = fc.array(scrap, { maxLength: 60 }).map((pieces) => pieces.join(''));

const tags =
	'body html div p span br hr b strong i em u s sub sup small h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr td th dl dt dd blockquote pre code bdi';
const knownTag = new RegExp(
	`</?(${tags.replaceAll(' ', '|')})( (class|style)="[^"<>]*")*\\s*/?>`,
	'g',
);

/** What the page of one message shows after its head. */
function shownOf(resource: typeof push, body: Body): string {
	const operation = resource.operations.find(({ value }) => value === 'send');
	const delivery = { itemIndex: 0, path: '/', platform: 'web' as const, buildBody: () => body };
	const page = previewPage(
		{ kind: 'preview', url: 'https://api.example.com/', delivery, body },
		{ resource: resource.value, operation: operation! },
	);
	return String(page?.slice(page.indexOf('<body>')));
}

test('Whatever is in a message, its page holds only known tags without addresses and handlers', () => {
	fc.assert(
		fc.property(hostile, hostile, (one, other) => {
			const everywhere = Object.fromEntries(
				fields.map((key, index) => [key, index % 2 === 0 ? one : other]),
			);
			for (const shown of [
				shownOf(push, everywhere),
				shownOf(sms, { ...everywhere, message: one }),
				shownOf(email, { ...everywhere, content: `<${one}` }),
				shownOf(email, { ...everywhere, content: other }),
			]) {
				expect(shown).toContain('<body>');
				// Only text remains, unless there is other markup.
				expect(shown.replace(knownTag, '')).not.toContain('<');
				const styles = [...shown.matchAll(/<[^>]* style="([^"]*)"/g)].map(([, style]) => style);
				expect(styles.filter((style) => /url|\\|expression|@/.test(style ?? ''))).toEqual([]);
			}
		}),
		{ numRuns: 5 * propertyRuns, seed: propertySeed },
	);
});
