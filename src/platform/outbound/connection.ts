import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Client } from 'undici';
import { connectGuarded } from './guarded-socket';
import type { ConnectAttempt, ConnectStage, SocketGuard } from './guarded-socket';
import { createInterimFilter } from './interim-answers';
import { inBackground } from '../in-background';

export interface Origin {
  readonly secure: boolean;
  /** As in `URL.origin`. */
  readonly url: string;
  /** A name or a literal address, without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Exempt from the address rules; part of a pool's identity. */
  readonly trusted: boolean;
}

export interface ConnectionOptions extends SocketGuard {
  /** How long an unused connection is kept, ms, when the peer says nothing about it. */
  readonly idleMs: number;
  /** How long after its host's name was looked up a connection may begin a request, ms. */
  readonly maxAgeMs: number;
  /** Called for each connection that was made. */
  readonly onMade?: (hostname: string) => void;
  /** The largest head of an answer, names and values, bytes. */
  readonly maxHeaderBytes: number;
}

/** One undici client that carries one request at a time over one socket, connected when first needed. */
export interface Connection {
  readonly client: Client;
  /** How far the connection has got; `resolving` before there is a socket. */
  stage(): ConnectStage;
  socket(): Socket | undefined;
  /**
   * Must be called before each request: its answer may begin with interim ones, which are skipped. `onStatus` gets its
   * status as soon as the status line was read.
   */
  expectAnswer(onStatus: (status: number) => void): void;
  /** It must begin no further request: the name may lead elsewhere by now. */
  isOld(): boolean;
  destroy(): void;
}

// A peer may ask for longer in its Keep-Alive header, but middleboxes forget idle connections sooner than most peers
// think.
const LONGEST_IDLE_MS = 60_000;

/** Prepares a connection; `onDisconnect` is called each time its socket has closed. */
export function openConnection(
  origin: Origin,
  options: ConnectionOptions,
  onDisconnect: (connection: Connection) => void,
): Connection {
  let attempt: ConnectAttempt | undefined;
  let socket: Socket | undefined;
  let bestBefore = Number.POSITIVE_INFINITY;
  const interim = createInterimFilter(options.maxHeaderBytes);
  const client = new Client(origin.url, {
    connect(_options, callback) {
      bestBefore = performance.now() + options.maxAgeMs;
      attempt = connectGuarded(origin, options, (error, made) => {
        socket = made;
        if (made !== undefined) interim.attach(made);
        if (error === null && made !== undefined) {
          options.onMade?.(origin.hostname);
          callback(null, made);
        } else callback(error ?? new Error('no socket'), null);
      });
    },
    pipelining: 1,
    // The exchange has a single deadline. undici's timers per phase would restart with every byte from a slow peer.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    maxHeaderSize: options.maxHeaderBytes,
  });
  const connection: Connection = {
    client,
    stage: () => attempt?.stage() ?? 'resolving',
    socket: () => socket,
    expectAnswer: (onStatus) => interim.expectAnswer(onStatus),
    isOld: () => performance.now() > bestBefore,
    destroy() {
      attempt?.cancel();
      inBackground(client.destroy(), () => {});
    },
  };
  client.on('disconnect', () => onDisconnect(connection));
  return connection;
}
