import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { callbackify } from 'node:util';
import { type AllowList, isAllowedAddress } from './addresses';
import { codeOf, ConnectFailure } from './failures';
import { connectThrough, type OutboundProxy } from './proxy';
import type { Lookup } from './resolve-host';

/** `at_proxy`: there is no connection to the proxy yet. */
export type ConnectStage = 'resolving' | 'at_proxy' | 'connecting' | 'securing' | 'ready';

export interface SocketGuard {
  readonly allowCidrs: AllowList;
  readonly lookup: Lookup;
  /** Certificate authorities instead of Node's own, PEM. */
  readonly ca?: string | Buffer;
  /** Every connection goes through it; without one, directly. */
  readonly proxy?: OutboundProxy;
}

export interface SocketTarget {
  readonly secure: boolean;
  /** A name or a literal address, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The operator configured this host: no address rules. */
  readonly trusted: boolean;
}

/** A connection being made; `cancel` ends it without a callback. */
export interface ConnectAttempt {
  stage(): ConnectStage;
  cancel(): void;
}

/**
 * Opens a TCP or TLS connection to an address that the rules allow; `done` gets the socket or a `ConnectFailure`,
 * once.
 * There are three checks, because each one alone has a hole. Literal addresses are never resolved, so they are
 * checked first. A name is judged by the same look-up that is then used to connect, so a name server gains nothing by
 * changing its answer. The address that the socket reports is checked last, before the first byte is sent; through a
 * proxy this is impossible, so the proxy gets checked addresses and no name. There is no time limit here: the
 * request's deadline cancels.
 */
export function connectGuarded(
  target: SocketTarget,
  guard: SocketGuard,
  done: (error: ConnectFailure | null, socket?: Socket) => void,
): ConnectAttempt {
  const mayReach = (address: string) =>
    target.trusted || isAllowedAddress(address, guard.allowCidrs);
  if (isIP(target.hostname) !== 0 && !mayReach(target.hostname)) {
    queueMicrotask(() => done(new ConnectFailure('address_not_allowed', target.hostname)));
    return { stage: () => 'resolving', cancel() {} };
  }

  let stage: ConnectStage = isIP(target.hostname) === 0 ? 'resolving' : 'connecting';
  let settled = false;
  let secured: Socket | undefined;
  const end = () => {
    settled = true;
    way.cancel();
    secured?.destroy();
  };
  const refuse = (error: unknown) => {
    if (settled) return;
    end();
    done(connectFailure(stage, error));
  };
  const accept = (socket: Socket) => {
    if (settled) return;
    settled = true;
    stage = 'ready';
    done(null, socket);
  };
  const reach = guard.proxy === undefined ? reachDirectly : reachThrough(guard.proxy);
  const way = reach(target, {
    resolve: async (hostname) => {
      const addresses = await resolveAllowed(hostname, guard.lookup, mayReach);
      stage = 'connecting';
      return addresses;
    },
    mayReach,
    onStage: (reached) => (stage = reached),
    refuse,
    accept(socket) {
      if (settled) return;
      if (!target.secure) return accept(socket);
      stage = 'securing';
      secured = secure(socket, target.hostname, guard.ca, refuse, accept);
    },
  });
  return { stage: () => stage, cancel: end };
}

interface WayOptions {
  /** The addresses of a name, all of them allowed; rejects with a `ConnectFailure`. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly mayReach: (address: string) => boolean;
  readonly onStage: (stage: 'at_proxy' | 'connecting') => void;
  /** Called for each error of the connection, later ones included. */
  readonly refuse: (error: unknown) => void;
  readonly accept: (socket: Socket) => void;
}

/** A way to the peer. `cancel` ends the connection too. */
type Way = (target: SocketTarget, options: WayOptions) => { cancel(): void };

const reachDirectly: Way = (target, { resolve, mayReach, refuse, accept }) => {
  const tcp = connectTcp({
    host: target.hostname,
    port: target.port,
    lookup: asLookup(resolve),
    autoSelectFamily: true,
    // Node's 250 ms is less than a handshake with the far side of the earth: it would give up on a working v4 address
    // in favour of a v6 one that this machine cannot reach.
    autoSelectFamilyAttemptTimeout: 2_000,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  tcp.on('error', refuse);
  tcp.once('connect', () => {
    const reached = tcp.remoteAddress;
    // The peer has already hung up; this must not look like a forbidden address, which would not be retried.
    if (reached === undefined) return refuse(new ConnectFailure('connect_failed', 'ECONNRESET'));
    if (!mayReach(reached)) return refuse(new ConnectFailure('address_not_allowed', reached));
    accept(tcp);
  });
  return { cancel: () => tcp.destroy() };
};

function reachThrough(proxy: OutboundProxy): Way {
  return ({ hostname, port }, { resolve, onStage, refuse, accept }) => {
    let canceled = false;
    let cancel: (() => void) | undefined;
    const connectTo = (addresses: readonly string[]): void => {
      if (canceled) return;
      const endpoints = addresses.map((address) => ({ address, port }));
      onStage('at_proxy');
      const onProxy = (): void => onStage('connecting');
      cancel = connectThrough(proxy, endpoints, onProxy, (error, socket) => {
        if (error || !socket) return refuse(error);
        cancel = () => socket.destroy();
        socket.on('error', refuse);
        accept(socket);
      });
    };
    if (isIP(hostname) === 0) resolve(hostname).then(connectTo, refuse);
    else connectTo([hostname]);
    return {
      cancel() {
        canceled = true;
        cancel?.();
      },
    };
  };
}

async function resolveAllowed(
  hostname: string,
  lookup: Lookup,
  mayReach: (address: string) => boolean,
): Promise<readonly string[]> {
  const addresses = await lookup(hostname).catch((error: unknown) => {
    throw new ConnectFailure('dns_failed', codeOf(error));
  });
  // One forbidden address rules out the name, because we do not decide which address is tried first.
  const forbidden = addresses.find((address) => !mayReach(address));
  if (forbidden !== undefined) throw new ConnectFailure('address_not_allowed', forbidden);
  if (addresses.length === 0) throw new ConnectFailure('dns_failed', 'ENODATA');
  return addresses;
}

function asLookup(resolve: WayOptions['resolve']): LookupFunction {
  const call = callbackify(resolve);
  return (hostname, options, callback) =>
    call(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (options.all || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

// TLS starts on a connected socket, so that not even a handshake reaches an unchecked address.
function secure(
  tcp: Socket,
  hostname: string,
  ca: string | Buffer | undefined,
  refuse: (error: unknown) => void,
  onSecure: (socket: Socket) => void,
): Socket {
  const tls = connectTls({
    socket: tcp,
    ALPNProtocols: ['http/1.1'],
    // Server names are for names only, and end without a dot (RFC 6066 §3). The certificate is checked against either.
    ...(isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : { host: hostname }),
    ...(ca === undefined ? {} : { ca }),
  });
  tls.on('error', refuse);
  tls.once('close', () => refuse(new ConnectFailure('tls_failed', 'ECONNRESET')));
  tls.once('secureConnect', () => onSecure(tls));
  return tls;
}

function connectFailure(stage: ConnectStage, error: unknown): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  const detail = codeOf(error);
  if (stage === 'securing') return new ConnectFailure('tls_failed', detail);
  if (detail === 'ECONNREFUSED') return new ConnectFailure('connect_refused', detail);
  if (detail === 'ETIMEDOUT') return new ConnectFailure('connect_timeout', detail);
  return new ConnectFailure('connect_failed', detail);
}
