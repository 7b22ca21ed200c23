// Loaded into n8n before its own code.
const { Server } = require('node:net');

// Were the starting process killed outright, n8n would live on and hold its port.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

// That something answers at n8n's port does not tell that it is this n8n: say which ports are its own.
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
	this.once('listening', () => {
		if (process.connected) process.send({ listensOn: this.address()?.port });
	});
	return listen.apply(this, args);
};
