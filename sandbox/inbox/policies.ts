const everywhere = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-store',
};

/** The page runs only its own script and connects only to its own server. */
export const pageHeaders = {
	...everywhere,
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"frame-src 'self'",
		'img-src data:',
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join('; '),
};

/** Content of messages: no scripts, no forms and nothing from the network. */
export const emailHeaders = {
	...everywhere,
	'content-security-policy': [
		'sandbox',
		"default-src 'none'",
		"style-src 'unsafe-inline'",
		'img-src data:',
		'font-src data:',
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'self'",
	].join('; '),
};
