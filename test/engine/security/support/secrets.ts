/** Secrets that occur nowhere else. If one appears, it has leaked. */
export const secrets = { apiKey: 'canary-key-7f3a91', accessToken: 'canary-token-52be08' };
