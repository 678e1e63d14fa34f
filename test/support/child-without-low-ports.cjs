// Ports below 1024 are not for this process, as they are for most users, whoever runs the tests.
const { Server } = require('node:net');
const listen = Reflect.get(Server.prototype, 'listen');

Server.prototype.listen = function listenAbove(...given) {
  const [first] = given;
  const port = Number(typeof first === 'object' && first !== null ? first.port : first);
  if (!(port > 0 && port < 1024)) return listen.apply(this, given);
  const message = `listen EACCES: permission denied 127.0.0.1:${port}`;
  const error = Object.assign(new Error(message), { code: 'EACCES', syscall: 'listen', port });
  process.nextTick(() => this.emit('error', error));
  return this;
};
