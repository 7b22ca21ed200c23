// Loaded into n8n before its own code.
const { Server } = require('node:net');
const { Script } = require('node:vm');

// If the process that started n8n is killed, n8n would otherwise continue and keep its port.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

// Another n8n may respond at the port, so this one reports which ports it listens on.
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
	this.once('listening', () => {
		if (process.connected) process.send({ listensOn: this.address()?.port });
	});
	return listen.apply(this, args);
};

// n8n 2.41 fails if one of its regular expressions takes 250 ms. On a busy machine, a process may get no time for so long.
const MORE_MS = 20_000;
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
	const patient = options?.timeout && { ...options, timeout: options.timeout + MORE_MS };
	return runInContext.call(this, context, patient ?? options);
};
