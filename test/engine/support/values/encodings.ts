const whole = (...words: string[]) => words.map((word) => [word, word] as const);

/** UTF-8 that was read as Windows-1252 or Latin1, and the word that a hint names. */
export const misread: ReadonlyArray<readonly [text: string, word: string]> = [
	...whole('MÃ¼ller', 'JosÃ©', 'Ã–sterreich', 'KÃ»nstler', 'Å\u0081Ã³dÅº', 'GdaÅ„sk', 'ZajÄ…c'),
	...whole('ÐŸÑ€Ð¸Ð²ÐµÑ‚', 'Î‘Î¸Î®Î½Î±'),
	['Hallo JÃ¶rg', 'JÃ¶rg'],
	['StraÃŸe 7', 'StraÃŸe'],
	['Itâ€™s here', 'Itâ€™s'],
	['20 â‚¬', 'â‚¬'],
	['10Â\u00a0°C', '10Â °C'],
	['Â© Acme', 'Â©'],
	['ä½\u00a0å¥½', 'ä½ å¥½'],
	['ðŸ˜€ sale', 'ðŸ˜€'],
	['20 \u0080', '\u0080'],
];

/** Text of many languages that holds such letters by right. */
export const wellRead: readonly string[] = [
	...['SÃO PAULO', '“MAÇÃ”', '«MAÇÃ»', 'IRMÃ…', 'ÂME', 'Âge', 'MÃE', 'Ãgua', 'Álvaro'],
	...['Vũ Thị Ân', 'CAFÉ…', '« café… »', 'Spaß”', 'Größe', 'Åse', 'Ängström', 'ÄÖÜ'],
	...['À la carte', 'ça va ?', 'È vero…', '3×½', 'ÐÞ', 'Ð', 'Ñandú', '“Ñ”', 'naïve', 'à…'],
	...['Übergröße: 5 £', '20 €', 'It’s “it”', 'Łódź', 'Gdańsk', 'Привет', 'Αθήνα', '你好', '😀'],
	...['שלום', 'مرحبا', 'สวัสดี', 'Đặng'],
];
