import type { ValueRow } from './row';

export const emails: readonly ValueRow[] = [
	['plain', 'ravi@example.com', 'ravi@example.com'],
	['capitals', 'Ravi.Iyer@Example.COM', 'Ravi.Iyer@Example.COM'],
	['a plus', 'ravi+shop@example.co.in', 'ravi+shop@example.co.in'],
	['an apostrophe', "o'neil@example.ie", "o'neil@example.ie"],
	['an ampersand', 'r&d@example.com', 'r&d@example.com'],
	['an equals sign', 'bounce=ravi@example.com', 'bounce=ravi@example.com'],
	['a slash', 'sales/emea@example.com', 'sales/emea@example.com'],
	['a hash', 'desk#4@example.com', 'desk#4@example.com'],
	['an exclamation mark', 'hello!@example.com', 'hello!@example.com'],
	['a percent sign', '100%wool@example.com', '100%wool@example.com'],
	['a question mark', 'why?@example.com', 'why?@example.com'],
	['an asterisk', 'star*@example.com', 'star*@example.com'],
	['a tilde', '~ravi@example.com', '~ravi@example.com'],
	['an underscore at its end', 'ravi_@example.com', 'ravi_@example.com'],
	['one letter', 'r@example.com', 'r@example.com'],
	['digits', '12345@example.com', '12345@example.com'],
	['a long ending', 'ravi@shop.example.photography', 'ravi@shop.example.photography'],
	['a domain of digits', 'news@163.com', 'news@163.com'],
	['many subdomains', 'a@b.c.d.e.example.com', 'a@b.c.d.e.example.com'],
	['a German domain', 'info@müller.example', 'info@xn--mller-kva.example'],
	['a sharp s in the domain', 'info@straße.example', 'info@xn--strae-oqa.example'],
	['a Swedish domain', 'info@räksmörgås.example', 'info@xn--rksmrgs-5wao1o.example'],
	['a Chinese domain', 'info@例子.example', 'info@xn--fsqu00a.example'],
	['a Japanese domain and ending', 'info@例え.テスト', 'info@xn--r8jz45g.xn--zckzah'],
	['a Russian domain and ending', 'info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
	['an Arabic domain and ending', 'info@مثال.إختبار', 'info@xn--mgbh0fb.xn--kgbechtv'],
	['an Indian domain and ending', 'info@उदाहरण.भारत', 'info@xn--p1b6ci4b4b3a.xn--h2brj9c'],
	['a domain in Punycode', 'info@xn--e1afmkfd.xn--p1ai', 'info@xn--e1afmkfd.xn--p1ai'],
	['spaces around it', ' ravi@example.com ', 'ravi@example.com'],
];

export const emailLists: readonly ValueRow[] = [
	['one', 'anna@example.com', 'anna@example.com'],
	['several', 'anna@example.com, ben@example.com', 'anna@example.com,ben@example.com'],
	[
		'with an international domain',
		'anna@müller.example , r&d@example.com',
		'anna@xn--mller-kva.example,r&d@example.com',
	],
];
