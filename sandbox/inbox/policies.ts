const everywhere = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-store',
};

/** The page runs its own script and speaks to its own server, and neither loads nor asks anything else. */
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

/** What others wrote: no script, no form, nothing from the network, and an origin of its own. */
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
