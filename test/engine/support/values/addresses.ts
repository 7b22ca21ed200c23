import { eachAs, eachAsIs, type ValueRow } from './row';

export const emails: readonly ValueRow[] = [
	...eachAsIs('ravi@example.com', 'Ravi.Iyer@Example.COM', 'ravi+shop@example.co.in'),
	...eachAsIs("o'neil@example.ie", 'r&d@example.com', 'bounce=ravi@example.com'),
	...eachAsIs('sales/emea@example.com', 'desk#4@example.com', 'hello!@example.com'),
	...eachAsIs('100%wool@example.com', 'why?@example.com', 'star*@example.com'),
	...eachAsIs(
		'~ravi_@example.photography',
		'r@example.com',
		'12345@163.com',
		'a@b.c.d.example.com',
	),
	...eachAs('info@xn--mller-kva.example', 'info@müller.example'),
	...eachAs('info@xn--strae-oqa.example', 'info@straße.example'),
	...eachAs('info@xn--fsqu00a.example', 'info@例子.example'),
	...eachAs('info@xn--r8jz45g.xn--zckzah', 'info@例え.テスト'),
	...eachAs('info@xn--e1afmkfd.xn--p1ai', 'info@пример.рф'),
	...eachAs('info@xn--p1b6ci4b4b3a.xn--h2brj9c', 'info@उदाहरण.भारत'),
	...eachAsIs('info@xn--e1afmkfd.xn--p1ai'),
	...eachAs('müller@xn--exmple-cua.de', 'müller@exämple.de'),
	...eachAs('用户@xn--fsqu00a.example', '用户@例子.example'),
	...eachAs('ravi@example.com', ' ravi@example.com '),
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
