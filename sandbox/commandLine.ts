import { parseArgs } from 'node:util';
import type { SandboxOptions } from './index';
import { apis, type Api } from './terms';

export const defaultPort = 8787;

export const usage = `Usage: npm run sandbox -- [options]

  --port <n>              port of the address that plays all hosts (${defaultPort})
  --separate-hosts        give each host a port of its own too, the three after --port
  --<api>-limit <n>       requests per window: ${apis.join(', ')}
  --window <kind>         clockMinute (default), firstRequest or sliding
  --window-ms <n>         length of the window in milliseconds (60000)
  --latency <n|n-n>       how long answers take in milliseconds, at random between two numbers
  --clock-skew <n>        milliseconds that the service's clock is ahead
  --no-rate-limit-header  leave X-RateLimit-Remaining out
  --help                  this text
`;

type LimitOptions = Record<`${Api}-limit`, { type: 'string' }>;
const limitOptions = Object.fromEntries(
	apis.map((api) => [`${api}-limit`, { type: 'string' }]),
) as LimitOptions;

/** @throws Error with one sentence on an option that is not known or makes no sense */
export function optionsFrom(args: string[]): SandboxOptions | 'help' {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string' },
			'separate-hosts': { type: 'boolean', default: false },
			...limitOptions,
			window: { type: 'string' },
			'window-ms': { type: 'string' },
			latency: { type: 'string' },
			'clock-skew': { type: 'string' },
			'no-rate-limit-header': { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return 'help';

	const whole = (
		name: Exclude<keyof typeof values, 'help' | 'separate-hosts' | 'no-rate-limit-header'>,
	) => wholeNumber(`--${name}`, values[name]);
	return {
		port: portNumber(whole('port') ?? defaultPort),
		separateHosts: values['separate-hosts'],
		limits: Object.fromEntries(apis.map((api) => [api, whole(`${api}-limit`)])),
		window: { kind: windowKind(values.window), lengthMs: whole('window-ms') },
		latencyMs: latencyFrom(values.latency),
		clockSkewMs: whole('clock-skew'),
		sendRateLimitHeader: !values['no-rate-limit-header'],
	};
}

function wholeNumber(name: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	if (!/^-?\d+$/.test(value)) throw new Error(`${name} takes a whole number, not "${value}".`);
	return Number(value);
}

function portNumber(port: number): number {
	if (port < 0 || port > 65_535) throw new Error('--port takes a number from 0 to 65535.');
	return port;
}

function windowKind(kind: string | undefined) {
	switch (kind) {
		case undefined:
		case 'clockMinute':
		case 'firstRequest':
		case 'sliding':
			return kind;
		default:
			throw new Error(`--window takes clockMinute, firstRequest or sliding, not "${kind}".`);
	}
}

function latencyFrom(value: string | undefined): SandboxOptions['latencyMs'] {
	if (value === undefined) return undefined;
	const [, least, most] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? [];
	if (least === undefined) {
		throw new Error(`--latency takes milliseconds such as 50 or 20-800, not "${value}".`);
	}
	return most === undefined ? Number(least) : [Number(least), Number(most)];
}
