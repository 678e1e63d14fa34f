// Preloaded by a test: no name but this machine's is found, as without a network.
const dns = require('node:dns');
const { isIP } = require('node:net');

const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (isIP(name) || name === 'localhost') return lookup(name, ...rest);
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  process.nextTick(rest.at(-1), error);
};
