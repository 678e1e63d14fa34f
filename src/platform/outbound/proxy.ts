import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { codeOf, ConnectFailure } from './failures';
import { parseUrl } from '../text/parse-url';

/** Setting OUTBOUND_PROXY: the single way out of a network whose receivers admit callers by a fixed address. */
export interface OutboundProxy {
  /** A name or a literal address, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`, a secret; null if the proxy requires none. */
  readonly authorization: string | null;
}

/** A literal address and a port. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

// Only the status of a proxy's answer is used.
const MAX_HEAD_BYTES = 16_384;

/**
 * Reads `http://user:password@host:port`; name, password and port (80) are optional. Throws an Error that says what
 * is expected and quotes nothing, because the text may contain a password.
 */
export function parseProxy(text: string): OutboundProxy {
  const url = parseUrl(text);
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
 * Asks the proxy for a connection to these endpoints, one after the other, until one succeeds. `onProxy` is called when
 * there is a connection to the proxy itself, `done` is called once, with
 * a socket to that endpoint or the `ConnectFailure` of the first. The proxy never gets a name: it would resolve it
 * again, and might reach an unchecked address. Returns a function that ends the attempt without a callback; the
 * socket then belongs to the caller.
 */
export function connectThrough(
  proxy: OutboundProxy,
  endpoints: readonly Endpoint[],
  onProxy: () => void,
  done: (error: ConnectFailure | null, socket?: Socket) => void,
): () => void {
  let cancelCurrent: (() => void) | undefined;
  const tryNext = ([endpoint, ...others]: readonly Endpoint[], failure: ConnectFailure | null) => {
    if (endpoint === undefined) return done(failure);
    cancelCurrent = openTunnel(proxy, endpoint, onProxy, (error, socket) => {
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
  onProxy: () => void,
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
  asking.once('socket', (socket) => socket.once('connect', onProxy));
  asking.on('error', (error) => settle(proxyFailure(codeOf(error))));
  asking.once('connect', ({ statusCode = 0 }, socket: Socket, early) => {
    // From here on only we hold the socket, and an error event without a listener would end the process.
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

/** Distinguished from failures of the peer: `proxy 407` concerns the operator and the proxy. */
function proxyFailure(detail: string): ConnectFailure {
  return new ConnectFailure('connect_failed', `proxy ${detail}`.trimEnd());
}
