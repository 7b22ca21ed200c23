const greetings = (...all: string[]) => all.map((found) => [`Hi ${found}`, found] as const);

/** What surely is another tool's placeholder, in a text, and the name in it as a column. */
export const tags: ReadonlyArray<readonly [text: string, found: string]> = [
	...greetings('*|FNAME:Friend|*', '<%= fname %>', '<%- fname -%>', '<?= $fname ?>'),
	...greetings(
		'<?php echo $fname; ?>',
		'%%FNAME%%',
		'%%First Name%%',
		'%%=v(@name)=%%',
		'##FNAME##',
	),
	...greetings('##kunde.vorname##'),
	['Hi *|FNAME|*!', '*|FNAME|*'],
	['*|IF:VIP|*Hi VIP*|END:IF|*', '*|IF:VIP|*'],
	['On *|DATE:F d, Y|*', '*|DATE:F d, Y|*'],
	['Hi {% if vip %}VIP{% endif %}', '{% if vip %}'],
	['Hi {%- if vip -%}VIP{%- endif -%}', '{%- if vip -%}'],
	["{% assign x = 'y' %}Hi", "{% assign x = 'y' %}"],
	['Hi <% if (age > 17) { %>you<% } %>', '<% if (age > 17) { %>'],
];

/** What may be another tool's placeholder. */
export const doubtful: ReadonlyArray<readonly [text: string, found: string]> = [
	...greetings('{first_name}', '{$name}', '{!Contact.FirstName}', '${name}', '[First Name]'),
	...greetings('%FIRSTNAME%', '<<First Name>>', '{FNAME|there}', '{first_name|fallback:"friend"}'),
	...greetings('{NAME:friend}', '{ first_name }', '${Leads.First Name}', '[firstname,fallback=]'),
	...greetings('[Name,fallback=friend]', '[CONTACT|FIRSTNAME]', '[%vorname%]'),
	...greetings('[subscriber:firstname | default:you]', '%first_name%', '%User:FirstName%'),
	...greetings('#recipient:name#', '@FIRSTNAME@', '$json.first_name'),
	['Hi {First Name}!', '{First Name}'],
	['Hi #{name}', '{name}'],
	['Hi [Vorname]!', '[Vorname]'],
	['Hi [[name]]', '[name]'],
	['Hi [[contact.first_name]]', '[contact.first_name]'],
	['Hi [[data:name:"friend"]]', '[data:name:"friend"]'],
	['Hi $[FNAME|friend]$', '[FNAME|friend]'],
	['Hi %recipient.name%!', '%recipient.name%'],
	['Hi $First Name$,', '$First Name$'],
	['Hi { $json["First Name"] }', '$json["First Name"]'],
];

/** Texts that only look like it. */
export const ordinary: readonly string[] = [
	...['Hi @{name}@, your order @{order_id}@', '100% sure, 50%% off, 20%% today'],
	...['Question ## 1 ## 2, and ### 3', 'Use } or { and {} or { 1 }'],
	...['[1] and [ ] and [x](https://example.com)', '2 * |x| * 3 and *|*', '5 < 6 > 4 <%'],
	...['Now {%50} and 3 %> 2', 'Sale [unsubscribe] [Abmelden]'],
	...['https://example.com/?a=%%NAME%%&b=##x##&c={id}', '#hashtag ##trend'],
	...['#sale #now #today, #5 and #6#7', 'US$ 5 or A$ 7, $5 to $10, $USD and 5$'],
	'me@example.com or you@EXAMPLE.COM, @ACME and @shop',
	...['Now {50 %} and {"a": 1}, {a, b} or {: x}', '[a, b] or [see: page 3], a[i] and [x](y)'],
	...['Up to 20%, only 5%c% and www.example.com/%C3%A4%C3%B6', 'Call json.parse or $jsonp'],
	'100%OFF% or 5%A%',
];

/** HTML in which people see none of it. */
export const ordinaryHtml: readonly string[] = [
	'<table width="100%" bgcolor="#ffffff"><td style="color:#fff;background:#eee">#1</td></table>',
	'<!--[if mso]>*|FNAME|*<![endif]--><p>Hi</p>',
	'<style>.a{color:red} .b{%x%} ##a##</style><p>Hi</p>',
	'<script>var a = {b}; {% if x %} %%Y%%</script><p>Hi</p>',
	...['<a href="*|UNSUB|*">Leave</a>', '<a href="https://example.com/?u=%%EMAIL%%">Go</a>'],
	...['<a href="<%= url %>" style="a[b]">Go</a>', '<?xml version="1.0"?><p class="{x}">Hi</p>'],
	'<p>Hi @{name}@</p>',
];

/** HTML in plain texts, what a hint adds to the column, and what a text with it says. */
export const htmlInText: ReadonlyArray<readonly [text: string, code: string, says: string]> = [
	['It&#8217;s here', `.replaceAll('&#8217;', '’')`, 'It’s here'],
	['It&#39;s here', `.replaceAll('&#39;', "'")`, "It's here"],
	['It&#x2019;s here', `.replaceAll('&#x2019;', '’')`, 'It’s here'],
	['Salt &amp; Pepper', `.replaceAll('&amp;', '&')`, 'Salt & Pepper'],
	['20&nbsp;%', `.replaceAll('&nbsp;', ' ')`, '20 %'],
	['F&uuml;r &Auml;rzte', `.replaceAll('&uuml;', 'ü')`, 'Für &Auml;rzte'],
	['Caf&eacute;', `.replaceAll('&eacute;', 'é')`, 'Café'],
	['5 &euro; &ndash; now', `.replaceAll('&euro;', '€')`, '5 € &ndash; now'],
	['&bdquo;Hallo&ldquo;', `.replaceAll('&bdquo;', '„')`, '„Hallo&ldquo;'],
	['<p>It is here</p>', '.removeTags()', 'It is here'],
	['Hi<br>Ann', '.removeTags()', 'HiAnn'],
	['Hi<br />Ann', '.removeTags()', 'HiAnn'],
	['<b class="x">Sale</b>', '.removeTags()', 'Sale'],
	['<a href="https://a.example">Go</a>', '.removeTags()', 'Go'],
];

/** Plain texts that hold no HTML. */
export const plainTexts: readonly string[] = [
	...['Q&A; R&D; AT&T and Salt & Pepper', '1 < 2 && 3 > 2; <3 you; a <b, c> d'],
	...['https://example.com/?a=1&copy=2&lt=3', '<name@example.com>', 'I <3 it'],
];
