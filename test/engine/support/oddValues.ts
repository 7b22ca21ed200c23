const refuse = (): never => {
	throw new Error('This value refuses to be read');
};

/** Makes an object that throws whatever is done with it. */
function hostile(): object {
	const traps = Object.getOwnPropertyNames(Reflect).map((name) => [name, refuse]);
	return new Proxy({}, Object.fromEntries(traps) as ProxyHandler<object>);
}

function revoked(): object {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	return proxy;
}

function nested(depth: number): unknown {
	let value: unknown = 'core';
	for (let level = 0; level < depth; level++) value = [value];
	return value;
}

const circular: unknown[] = [];
circular.push(circular);

export const oddValues: unknown[] = [
	// What JSON can hold, and a row of a workflow can therefore contain.
	...[null, '', ' ', 0, -1, 2 ** 60, 1.5, true, [], {}, [[]], [null]],
	...[{ toString: 1 }, { toString: null, valueOf: 1 }, [{ toString: 1 }], { toJSON: 1 }],
	...[{ hasOwnProperty: 1, length: -1 }, { constructor: 1 }],
	JSON.parse('{"__proto__":{"x":1}}'),
	...[{ mode: 'list', value: { toString: 1 } }, { assignments: [null] }],
	{ isLuxonDateTime: true, toMillis: 1 },
	...['\0', '\ud800', '2026-13-45', '{{ $json.x }}', 'x'.repeat(100_000)],
	...[nested(50), nested(200)],
	// What an expression can give in addition.
	...[undefined, NaN, Infinity, 10n, Symbol('odd'), () => 1, new Date(NaN), new Map([[1, 2]])],
	...[/odd/, { toString: refuse }, { toJSON: refuse }, { getTime: refuse }],
	Object.create(null),
	{ isLuxonDateTime: true, toMillis: refuse },
	Object.defineProperty({}, 'value', { enumerable: true, get: refuse }),
	...[circular, hostile(), revoked()],
];
