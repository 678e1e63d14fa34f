import { asciiLower } from '../text/ascii-case';
import type { AllowList } from './addresses';
import { openConnection } from './connection';
import type { Origin } from './connection';
import { decodeContent } from './decode-content';
import { DEFAULT_MAX_RESPONSE_BYTES, runExchange } from './exchange';
import type { PreparedRequest } from './exchange';
import { troubleOf } from './failure-reasons';
import { hostnameOf } from './hostname-of';
import type { OwnFaults } from './own-faults';
import type { OutboundProxy } from './proxy';
import { createOriginPool } from './origin-pool';
import type { OriginPool } from './origin-pool';
import { traceRequest } from './traced-request';
import { createLookup } from './resolve-host';
import type { Lookup } from './resolve-host';
import type { OutboundClient, OutboundErrorCode, OutboundRequest, OutboundResult } from './types';
import { parseUrl } from '../text/parse-url';

export interface OutboundClientOptions {
  /** Reachable although not public; from `parseCidrs`. */
  readonly allowCidrs: AllowList;
  /** For requests that don't set their own. */
  readonly userAgent: string;
  readonly lookup?: Lookup;
  /** The most connections per origin; callers limit their requests in flight, so this only contains a mistake. */
  readonly connections?: number;
  /** How long an unused connection is kept, ms. */
  readonly idleMs?: number;
  /** How long after its host's name was looked up a connection may begin a request, ms. */
  readonly maxAgeMs?: number;
  readonly maxHeaderBytes?: number;
  /** Certificate authorities instead of Node's own, PEM. */
  readonly ca?: string | Buffer;
  /** What the process knows of its own trouble; without it, all trouble is the peer's. */
  readonly ownFaults?: OwnFaults | undefined;
  /** From `parseProxy`; null = connect directly. */
  readonly proxy?: OutboundProxy | null;
}

/**
 * A busy connection never pauses, so without an end of its own it would lead to where its name led at first, for ever:
 * to a host that has been moved away from, and still answers.
 */
const MAX_AGE_MS = 60_000;

/** What is open right now, for metrics. */
interface OutboundStats {
  readonly origins: number;
  readonly connections: number;
}

export interface GuardedClient extends OutboundClient {
  stats(): OutboundStats;
}

/**
 * Makes the client for all outgoing traffic except Postgres and Temporal. `close` lets running requests end by their
 * own deadlines and fails later ones as `aborted`.
 */
export function createOutboundClient(options: OutboundClientOptions): GuardedClient {
  const { ownFaults } = options;
  const lookup = options.lookup ?? createLookup();
  const connectionOptions = {
    allowCidrs: options.allowCidrs,
    lookup: ownFaults?.watch(lookup) ?? lookup,
    onMade(hostname: string) {
      ownFaults?.worked('resources', hostname);
      if (options.proxy) ownFaults?.worked('proxy', hostname);
    },
    // Less than the 5 s after which Node's and Apache's servers close: a request on a closing connection has an
    // unknown outcome.
    idleMs: options.idleMs ?? 4_000,
    maxAgeMs: options.maxAgeMs ?? MAX_AGE_MS,
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.proxy ? { proxy: options.proxy } : {}),
  };
  const pools = new Map<string, OriginPool>();
  let closing: Promise<void> | undefined;
  let onLastClosed: (() => void) | undefined;

  function poolFor(origin: Origin): OriginPool {
    // A trusted connection may lead anywhere, so a request without that trust must never use it.
    const key = origin.trusted ? `trusted ${origin.url}` : origin.url;
    const known = pools.get(key);
    if (known) return known;
    const pool = createOriginPool({
      open: (onDisconnect) => openConnection(origin, connectionOptions, onDisconnect),
      limit: options.connections ?? 200,
      onEmpty: () => {
        pools.delete(key);
        if (pools.size === 0) onLastClosed?.();
      },
    });
    pools.set(key, pool);
    return pool;
  }

  return {
    request: (given) =>
      traceRequest(given, async (request) => {
        if (closing) return unsent('aborted', 'client closed', '');
        const target = parseTarget(request);
        if (target === null) return unsent('invalid_request', 'url', hostOf(request.url));
        const prepared: PreparedRequest = {
          request,
          path: target.path,
          host: target.host,
          headers: headerList(request.headers ?? {}, options.userAgent),
          ownFaultOf: (failure) => ownFaults?.judge(failure, target.origin.hostname) ?? null,
        };
        const limit = request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
        return decodeContent(await runExchange(prepared, poolFor(target.origin)), limit);
      }),
    close() {
      closing ??= new Promise((resolve) => {
        onLastClosed = resolve;
        if (pools.size === 0) resolve();
        for (const pool of pools.values()) pool.close();
      });
      return closing;
    },
    stats() {
      let connections = 0;
      for (const pool of pools.values()) connections += pool.size();
      return { origins: pools.size, connections };
    },
  };
}

interface Target {
  readonly origin: Origin;
  readonly path: string;
  readonly host: string;
}

function parseTarget({ url: text, trustedHost }: OutboundRequest): Target | null {
  const url = parseUrl(text);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  // Credentials belong into a header; in a URL they end up in logs.
  if (url.username !== '' || url.password !== '') return null;
  const secure = url.protocol === 'https:';
  return {
    origin: {
      secure,
      url: url.origin,
      hostname: hostnameOf(url.href),
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      trusted: trustedHost !== undefined && trustedHost === url.hostname,
    },
    path: url.pathname + url.search,
    host: url.host,
  };
}

function headerList(headers: Readonly<Record<string, string>>, userAgent: string): string[] {
  // Always identity: the limit of an answer is one of what was on the wire. Some peers compress nevertheless.
  const list = ['accept-encoding', 'identity'];
  let named = false;
  for (const [name, value] of Object.entries(headers)) {
    const lower = asciiLower(name);
    if (lower === 'accept-encoding') continue;
    if (lower === 'user-agent') named = true;
    list.push(name, value);
  }
  if (!named) list.push('user-agent', userAgent);
  return list;
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? 'unreadable URL';
}

function unsent(code: OutboundErrorCode, detail: string, host: string): OutboundResult {
  return {
    kind: 'failed',
    ...troubleOf({ code, detail }, host),
    sent: 'none',
    durationMs: 0,
  };
}
