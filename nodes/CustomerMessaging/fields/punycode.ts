import { decode } from 'punycode/punycode.js';

/**
 * Decodes a domain label without its `xn--`; undefined if it is not Punycode. The build bundles the library
 * into this file, because the package has no runtime dependencies.
 */
export function decodePunycode(encoded: string): string | undefined {
	try {
		return decode(encoded);
	} catch {
		return undefined;
	}
}
