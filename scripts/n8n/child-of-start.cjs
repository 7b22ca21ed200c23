// Loaded into n8n before its own code.
const { Server } = require('node:net');

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
