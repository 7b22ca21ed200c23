import { asIs, type ValueRow } from './row';

/** Messages in many scripts, and other texts that look strange but are valid. */
export const texts: readonly ValueRow[] = [
	asIs('Latin with accents', 'Votre commande arrive à Orléans – déjà payée'),
	asIs('Vietnamese', 'Đơn hàng của bạn đang trên đường'),
	asIs('Greek', 'Η παραγγελία σας έρχεται αύριο'),
	asIs('Cyrillic', 'Ваш заказ уже в пути'),
	asIs('Arabic', 'طلبك في الطريق إليك'),
	asIs('Hebrew', 'ההזמנה שלך בדרך'),
	asIs('Devanagari', 'आपका ऑर्डर रास्ते में है'),
	asIs('Bengali', 'আপনার অর্ডার আসছে'),
	asIs('Tamil', 'உங்கள் ஆர்டர் வருகிறது'),
	asIs('Gujarati', 'તમારો ઓર્ડર રસ્તામાં છે'),
	asIs('Thai', 'คำสั่งซื้อของคุณกำลังมา'),
	asIs('Chinese', '您的订单正在路上'),
	asIs('Japanese', 'ご注文の品は明日届きます'),
	asIs('Korean', '주문하신 상품이 오고 있습니다'),
	asIs('Georgian', 'თქვენი შეკვეთა გზაშია'),
	asIs('Armenian', 'Ձեր պատվերը ճանապարհին է'),
	asIs('Amharic', 'ትዕዛዝዎ በመንገድ ላይ ነው'),
	asIs('emoji of several code points', '👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 1️⃣ 🇮🇳 🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
	asIs('merge fields of the service', 'Hello @{name}@, your order @{order_id}@ is here'),
	asIs('names like words of a programmer', "Nan's bakery: nan bread, undefinedness and NaNs"),
	asIs('a link that holds one', 'See https://shop.example.com/undefined?q=NaN'),
	asIs('single braces', 'Use {CODE} or } and {'),
	asIs('mathematics', '1 < 2 && 3 > 2; 100 % off = 0 €'),
	asIs('lines', 'one\ntwo\r\nthree\tfour'),
];

export const contents: readonly ValueRow[] = [
	asIs('HTML', '<!doctype html><h1 lang="de">Grüße</h1><p>&nbsp;"20 % off"</p>'),
	asIs('styles with braces', '<style>@media print{.undefined{color:red}}</style><p>Hello</p>'),
	asIs('a comment of a template', '<!-- {{ header }} --><p>Hello @{name}@</p>'),
];

export const names: readonly ValueRow[] = [
	asIs('an apostrophe', "Sinéad O'Connor"),
	asIs('a hyphen', 'Anne-Marie Müller-Lüdenscheidt'),
	asIs('particles', 'Ludwig van Beethoven jr.'),
	asIs('one letter', 'U'),
	asIs('a name like a word of a programmer', 'Null'),
	asIs('Nan', 'Nan Goldin'),
	asIs('a suffix', 'Sammy Davis, Jr.'),
	asIs('an Icelandic name', 'Björk Guðmundsdóttir'),
	asIs('a Polish name', 'Wisława Szymborska'),
	asIs('a Turkish name', 'İbrahim Çelikkol'),
	asIs('a Chinese name', '李小龍'),
	asIs('an Arabic name', 'محمد بن عبد الله'),
	asIs('a name of Hawaii', 'Keʻalohilani'),
	asIs('a number', 'Ravi Iyer 3rd'),
];
