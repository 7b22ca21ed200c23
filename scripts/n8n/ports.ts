import { randomInt } from 'node:crypto';
import { createServer, connect } from 'node:net';
import { startWith } from '../platform';
import { Problem } from '../problem';

const LOOPBACK = '127.0.0.1';

/** A port number from the environment. */
export function portFrom(variable: string, standard: number): number {
	const text = process.env[variable];
	if (!text) return standard;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Problem(`${variable} must be a port number from 1 to 65535, and it is "${text}".`);
}

export async function assertFree(port: number, usedFor: string, variable: string): Promise<void> {
	if (!(await answers(port)) && (await canListen(port))) return;
	throw new Problem(
		`Port ${port}, wanted for ${usedFor}, is already in use. ` +
			`Stop the program that uses it, or choose another port: ${startWith({ [variable]: port + 1 })}`,
	);
}

/** Below the ports that systems give to outgoing connections, which could take it before a server starts there. */
const PORTS = { from: 10_000, to: 32_000 };

/** A port that nothing uses. Chosen at random, because other suites may be looking for one too. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(PORTS.from, PORTS.to);
		if (!(await answers(port)) && (await canListen(port))) return port;
	}
}

// On macOS, one program can listen on the loopback address of a port while another has it on all addresses.
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK);
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});
}

async function canListen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
	});
}
