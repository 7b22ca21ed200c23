/** Secrets that stand nowhere else, so that one that turns up has leaked. */
export const secrets = { apiKey: 'canary-key-7f3a91', accessToken: 'canary-token-52be08' };
