import fc from 'fast-check';

import { push } from '../../../nodes/CustomerMessaging/operations/push';
import { sms } from '../../../nodes/CustomerMessaging/operations/sms';
import { messagePage } from '../../../nodes/CustomerMessaging/report/preview';
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

const tags = 'body html div p span b i h1 dl dt dd bdi';
const knownTag = new RegExp(`</?(${tags.replaceAll(' ', '|')})( class="[^"<>]*")*\\s*/?>`, 'g');

/** What the page of one message shows after its head. */
function shownOf(resource: typeof push, body: Body): string {
	const operation = resource.operations.find(({ value }) => value === 'send');
	const delivery = { itemIndex: 0, path: '/', platform: 'web' as const, buildBody: () => body };
	const page = messagePage(delivery, body, { resource: resource.value, operation: operation! });
	return String(page?.slice(page.indexOf('<body>')));
}

test('Whatever is in a push or an SMS, its page holds only known tags without addresses and handlers', () => {
	fc.assert(
		fc.property(hostile, hostile, (one, other) => {
			const everywhere = Object.fromEntries(
				fields.map((key, index) => [key, index % 2 === 0 ? one : other]),
			);
			for (const resource of [push, sms]) {
				const shown = shownOf(resource, { ...everywhere, message: one });
				expect(shown).toContain('<body>');
				// Only text remains, unless there is other markup.
				expect(shown.replace(knownTag, '')).not.toContain('<');
			}
		}),
		{ numRuns: 5 * propertyRuns, seed: propertySeed },
	);
});
