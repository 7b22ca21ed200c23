import { eachAs, eachAsIs, type ValueRow } from './row';

export const links: readonly ValueRow[] = [
	...eachAsIs('https://shop.example.com/offers?from=push#top', 'http://shop.example.com'),
	...eachAsIs('https://shop.example.com:8443/offers', 'https://müller.example/über-uns'),
	...eachAsIs(
		'https://例え.テスト/ページ',
		'https://مثال.إختبار/صفحة',
		'https://xn--mller-kva.example/',
	),
	...eachAsIs('https://shop.example.com/caf%C3%A9?q=a%20b', 'https://shop.example.com/🎉'),
	...eachAsIs('https://shop.example.com/👨‍👩‍👧‍👦?skin=👍🏽', 'https://shop.example.com/🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
	...eachAsIs('https://shop.example.com/می‌خواهم'),
	...eachAsIs('https://shop.example.com/orders/@{order_id}@', 'tel:+4915112345678'),
	...eachAsIs('tel:+1-212-555-0100', 'tel:1900', 'tel:+1900', 'tel:+12125550100;ext=42'),
	...eachAsIs('sms:+4915112345678', 'sms:+1900?body=x', 'mailto:a@example.com'),
	...eachAsIs('mailto:help@example.com?subject=Order%201&body=Hello'),
	...eachAsIs('geo:37.786971,-122.399677', 'myapp://orders/1'),
	...eachAsIs('com.example.shop://orders/1?from=push', 'comgooglemaps://?q=Pune'),
	...eachAsIs('whatsapp://send?phone=4915112345678', 'market://details?id=com.example.shop'),
	...eachAs('https://shop.example.com', ' https://shop.example.com\n'),
];
