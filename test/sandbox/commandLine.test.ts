import { changed, defaultSettings } from '../../sandbox/settings';
import { optionsFrom } from '../../sandbox/commandLine';

it('The command line serves all hosts on port 8787 by default', () => {
	const options = optionsFrom([]);
	expect(options).toMatchObject({ port: 8787, separateHosts: false });
	if (options === 'help') throw new Error('asked for nothing');
	const { port: _port, separateHosts: _separate, ...patch } = options;
	expect(changed(defaultSettings, patch)).toEqual(defaultSettings);
});

it('The command line reads every option', () => {
	expect(
		optionsFrom([
			...['--port', '9000', '--separate-hosts', '--push-limit', '5', '--reporting-limit=7'],
			...['--window', 'sliding', '--window-ms', '1000', '--latency', '20-800'],
			...['--clock-skew=-3000', '--no-rate-limit-header'],
		]),
	).toEqual({
		port: 9000,
		separateHosts: true,
		limits: { push: 5, reporting: 7 },
		window: { kind: 'sliding', lengthMs: 1000 },
		latencyMs: [20, 800],
		clockSkewMs: -3000,
		sendRateLimitHeader: false,
	});
	expect(optionsFrom(['--help'])).toBe('help');
	expect(optionsFrom(['--latency', '50'])).toMatchObject({ latencyMs: 50 });
});

it.each([
	[['--port', 'x'], '--port takes a whole number, not "x".'],
	[['--port', '70000'], '--port takes a number from 0 to 65535.'],
	[['--window', 'hour'], '--window takes clockMinute, firstRequest or sliding, not "hour".'],
	[['--latency', 'slow'], '--latency takes milliseconds such as 50 or 20-800, not "slow".'],
	[['--sms-limit', '1.5'], '--sms-limit takes a whole number, not "1.5".'],
])('The command line says what is wrong with %j', (args, message) => {
	expect(() => optionsFrom(args)).toThrow(message);
});
