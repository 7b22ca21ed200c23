import fc from 'fast-check';

import { propertyRuns, propertySeed } from '../../propertyRuns';
import { bodyOf, emailPageOf, pushPageOf, smsPageOf, withoutKnownTags } from './support/pages';

const fields = [
	'title',
	'message',
	'url',
	'image_url',
	'hero_image_url',
	'button_one_title',
	'button_two_title',
	'button_two_url',
	'sender_name',
	'sender_email',
	'subject',
	'reply_to',
	'email',
	'user_id',
];

const scraps =
	'<,>,",\',/,=, ,&,;,!--,-->,script,style,iframe,img,svg,a,b,p,td,div,table,title,textarea,on,error,src,href,url(,//e.example,javascript:,{,},\0,\u2028,x'.split(
		',',
	);
const hostile = fc
	.array(fc.constantFrom(...scraps), { maxLength: 60 })
	.map((pieces) => pieces.join(''));

test('Whatever is in a message, its page holds only known tags without addresses and handlers', () => {
	fc.assert(
		fc.property(hostile, hostile, (one, other) => {
			const everywhere = Object.fromEntries(
				fields.map((key, index) => [key, index % 2 === 0 ? one : other]),
			);
			for (const page of [
				pushPageOf(everywhere),
				smsPageOf({ ...everywhere, message: one }),
				emailPageOf({ ...everywhere, content: `<${one}` }),
				emailPageOf({ ...everywhere, content: other }),
			]) {
				expect(withoutKnownTags(page)).not.toContain('<');
				const styles = [...bodyOf(page).matchAll(/<[^>]* style="([^"]*)"/g)].map(
					([, style]) => style,
				);
				expect(styles.filter((style) => /url|\\|expression|@/.test(style ?? ''))).toEqual([]);
			}
		}),
		{ numRuns: 5 * propertyRuns, seed: propertySeed },
	);
});
