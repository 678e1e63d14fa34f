import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { codeOf, ConnectFailure } from './failures';

/** Setting OUTBOUND_PROXY: the one way out of a network whose receivers know its callers by a fixed address. */
export interface OutboundProxy {
  /** A name or a literal address, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`, a secret; null where the proxy asks for none. */
  readonly authorization: string | null;
}

/** A literal address and a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

// Of what a proxy says about itself only the status is read.
const MAX_HEAD_BYTES = 16_384;

/**
 * Reads `http://user:password@host:port`; name, password and port (80) may be left out.
 * Throws an Error whose message says what is expected and repeats nothing: the text may hold a password.
 */
export function parseProxy(text: string): OutboundProxy {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === 'http:' && `${url.pathname}${url.search}${url.hash}` === '/';
  if (!url || !isPlain) {
    throw new Error('must be http://host:port or http://user:password@host:port');
  }
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    authorization: authorizationOf(url),
  };
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  } catch {
    // Node's own message quotes the text.
    throw new Error('must have its user and password percent-encoded');
  }
}

/**
 * Asks the proxy for a connection to each of these endpoints in turn, until it makes one; `done` gets a socket whose bytes go
 * there, or the `ConnectFailure` of the first, once. The proxy is never told a name: it would resolve it again, and might
 * reach another address than those that were checked. Returns what ends it without a call back; the socket is the caller's.
 */
export function connectThrough(
  proxy: OutboundProxy,
  endpoints: readonly Endpoint[],
  done: (error: ConnectFailure | null, socket?: Socket) => void,
): () => void {
  let cancelCurrent: (() => void) | undefined;
  const tryNext = ([endpoint, ...others]: readonly Endpoint[], failure: ConnectFailure | null) => {
    if (endpoint === undefined) return done(failure);
    cancelCurrent = openTunnel(proxy, endpoint, (error, socket) => {
      if (error) tryNext(others, failure ?? error);
      else done(null, socket);
    });
  };
  tryNext(endpoints, null);
  return () => cancelCurrent?.();
}

function openTunnel(
  proxy: OutboundProxy,
  { address, port }: Endpoint,
  done: (error: ConnectFailure | null, socket?: Socket) => void,
): () => void {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const asking = request({
    method: 'CONNECT',
    host: proxy.hostname,
    port: proxy.port,
    path: authority,
    headers: {
      host: authority,
      ...(proxy.authorization === null ? {} : { 'proxy-authorization': proxy.authorization }),
    },
    agent: false,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  let settled = false;
  const settle = (error: ConnectFailure | null, socket?: Socket): void => {
    if (settled) return;
    settled = true;
    done(error, socket);
  };
  asking.on('error', (error) => settle(proxyFailure(codeOf(error))));
  asking.once('connect', ({ statusCode = 0 }, socket: Socket, early) => {
    // From here on it is nobody's but ours, and an error that nobody listens for ends the process.
    socket.on('error', () => {});
    if (settled) return socket.destroy();
    if (statusCode < 200 || statusCode > 299) {
      socket.destroy();
      return settle(proxyFailure(String(statusCode)));
    }
    if (early.length > 0) socket.unshift(early);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    settle(null, socket);
  });
  asking.end();
  return () => {
    settled = true;
    asking.destroy();
  };
}

/** Told apart from failures of the peer: `proxy 407` is a matter between the operator and the proxy. */
function proxyFailure(detail: string): ConnectFailure {
  return new ConnectFailure('connect_failed', `proxy ${detail}`.trimEnd());
}
