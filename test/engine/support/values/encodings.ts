/** UTF-8 that was read as Windows-1252 or Latin1, and the word that a hint names. */
export const misread: ReadonlyArray<readonly [text: string, word: string]> = [
	['Hallo JÃ¶rg', 'JÃ¶rg'],
	['MÃ¼ller', 'MÃ¼ller'],
	['JosÃ©', 'JosÃ©'],
	['Ã–sterreich', 'Ã–sterreich'],
	['StraÃŸe 7', 'StraÃŸe'],
	['Itâ€™s here', 'Itâ€™s'],
	['20 â‚¬', 'â‚¬'],
	['10Â\u00a0°C', '10Â °C'],
	['KÃ»nstler', 'KÃ»nstler'],
	['Â© Acme', 'Â©'],
	['Å\u0081Ã³dÅº', 'Å\u0081Ã³dÅº'],
	['GdaÅ„sk', 'GdaÅ„sk'],
	['ZajÄ…c', 'ZajÄ…c'],
	['ÐŸÑ€Ð¸Ð²ÐµÑ‚', 'ÐŸÑ€Ð¸Ð²ÐµÑ‚'],
	['Î‘Î¸Î®Î½Î±', 'Î‘Î¸Î®Î½Î±'],
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
