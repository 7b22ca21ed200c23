import { secrets } from '../support/secrets';
import { type Group, inCredential } from '../support/places';

/** Values that would end the header they are put into, or that no header can contain. */
function breaking(secret: string): Array<[string, unknown]> {
	return [
		['a line break and a header', `${secret}\r\nX-Evil: 1`],
		['a line feed alone', `${secret}\nX-Evil: 1`],
		['a carriage return alone', `${secret}\rX-Evil: 1`],
		['a line break and a body', `${secret}\r\n\r\n{"nv":[]}`],
		['a null character', `${secret}\0`],
		['an escape character', `\u001b[31m${secret}`],
		['a deleted character', `${secret}\u007f`],
		['a tab inside', `my\t${secret}`],
		['a space inside', `my ${secret}`],
		['a space that breaks no line', `my\u00a0${secret}`],
		['a line separator', `${secret}\u2028X-Evil: 1`],
		['a letter whose low byte is a line feed', `${secret}\u010aX-Evil: 1`],
		['a zero-width space', `${secret}\u200b`],
		['a byte order mark inside', `my\ufeff${secret}`],
		['full-width letters', `${secret}ｋｅｙ`],
		['an emoji', `${secret}🔑`],
		['half a character', `${secret}\ud83d`],
		['dots in the middle, as copied from a masked field', `${secret.slice(0, 3)}••••`],
	];
}

const noText: Array<[string, unknown]> = [
	['not filled in', ''],
	['nothing', null],
	['a list', [secrets.apiKey]],
	['an object', { key: secrets.apiKey }],
	['true', true],
	['too large a number', 12345678901234567890],
];

export const refused: Group[] = [
	{ place: inCredential('apiKey'), inputs: [...breaking(secrets.apiKey), ...noText] },
	{
		place: inCredential('accessToken'),
		inputs: [
			['the scheme before it', `Bearer ${secrets.accessToken}`],
			['a line break and a header', `${secrets.accessToken}\r\nx-api-key: other`],
			['a folded line', `${secrets.accessToken}\r\n more`],
			['a comma and a space', `${secrets.accessToken}, Basic eDp5`],
			['a null character', `${secrets.accessToken}\0`],
			['not filled in', ''],
			['an object', { access_token: secrets.accessToken }],
		],
	},
	{
		place: inCredential('brandId'),
		inputs: [
			['a line break and a second key', 'brand\r\nx-api-key: other'],
			['a line break and a request', 'brand\r\n\r\nPOST /api/v1/web/broadcast/all HTTP/1.1'],
			['a space inside', 'my brand'],
			['letters of another script', 'бренд'],
			['white space alone', ' \n '],
		],
	},
];
