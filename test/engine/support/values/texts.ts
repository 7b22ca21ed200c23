import { eachAsIs, type ValueRow } from './row';

/** Messages in many scripts, and other texts that look strange but are valid. */
export const texts: readonly ValueRow[] = [
	...eachAsIs('Votre commande arrive à Orléans – déjà payée', 'Đơn hàng của bạn đang trên đường'),
	...eachAsIs('Η παραγγελία σας έρχεται αύριο', 'Ваш заказ уже в пути', 'طلبك في الطريق إليك'),
	...eachAsIs('ההזמנה שלך בדרך', 'आपका ऑर्डर रास्ते में है', 'আপনার অর্ডার আসছে'),
	...eachAsIs('உங்கள் ஆர்டர் வருகிறது', 'તમારો ઓર્ડર રસ્તામાં છે', 'คำสั่งซื้อของคุณกำลังมา'),
	...eachAsIs(
		'您的订单正在路上',
		'ご注文の品は明日届きます',
		'주문하신 상품이 오고 있습니다',
		'თქვენი შეკვეთა გზაშია',
	),
	...eachAsIs('Ձեր պատվերը ճանապարհին է', 'ትዕዛዝዎ በመንገድ ላይ ነው', '👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 1️⃣ 🇮🇳 🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
	...eachAsIs('Hello @{name}@, your order @{order_id}@ is here'),
	...eachAsIs("Nan's bakery: nan bread, undefinedness and NaNs"),
	...eachAsIs('See https://shop.example.com/undefined?q=NaN', 'Use {CODE} or } and {'),
	...eachAsIs('1 < 2 && 3 > 2; 100 % off = 0 €', 'one\ntwo\r\nthree\tfour'),
];

export const contents: readonly ValueRow[] = [
	...eachAsIs('<!doctype html><h1 lang="de">Grüße</h1><p>&nbsp;"20 % off"</p>'),
	...eachAsIs('<style>@media print{.undefined{color:red}}</style><p>Hello</p>'),
	...eachAsIs('<!-- {{ header }} --><p>Hello @{name}@</p>'),
];

export const names: readonly ValueRow[] = [
	...eachAsIs("Sinéad O'Connor", 'Anne-Marie Müller-Lüdenscheidt', 'Ludwig van Beethoven jr.'),
	...eachAsIs('U', 'Null', 'Nan Goldin', 'Sammy Davis, Jr.', 'Björk Guðmundsdóttir'),
	...eachAsIs('Wisława Szymborska', 'İbrahim Çelikkol', '李小龍', 'محمد بن عبد الله'),
	...eachAsIs('Keʻalohilani', 'Ravi Iyer 3rd'),
];
