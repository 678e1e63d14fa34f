import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isNativeError } from 'node:util/types';
import { createPermitQueue } from '../admission/permit-queue';
import { codeOf } from './failures';

/** Every address of a host name, v4 first; rejects with an Error whose `code` says why (`ENOTFOUND`, `ETIMEOUT`, …). */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface LookupOptions {
  /** `address:port` of name servers; default: the machine's own. */
  readonly servers?: readonly string[];
  /** How long to wait for one answer of a name server, ms; it is asked twice. Also how long to wait for the machine. */
  readonly timeoutMs?: number;
  /** Default: `getaddrinfo`. */
  readonly bySystem?: Lookup;
}

// After these errors the machine's own rules may still know the name: hosts file, search domains, container networks.
const UNKNOWN_TO_SERVERS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

// Of libuv's four threads, so that two stay free for files, hashes and the addresses of our own servers.
const MAX_SYSTEM_LOOKUPS = 2;

// Once there are v4 addresses, wait at most this long for v6 ones.
const SECOND_FAMILY_WAIT_MS = 250;

/**
 * Makes a look-up that asks the name servers directly first.
 * `getaddrinfo` holds one of libuv's four threads while a name server is silent, so four receivers with dead name
 * servers would block every other look-up, file and hash in the process. c-ares holds none; `getaddrinfo` is used
 * only for names that the servers quickly reported as unknown, and for two at a time: the server of a hostile name may
 * say so once and then be silent. Simultaneous look-ups of one name share one query; nothing is cached.
 */
export function createLookup({
  servers,
  timeoutMs = 2_000,
  bySystem = lookupBySystem,
}: LookupOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const queue = createPermitQueue({
    atOnce: { ofAll: MAX_SYSTEM_LOOKUPS },
    longestWaitMs: timeoutMs,
  });
  const running = new Map<string, Promise<readonly string[]>>();

  async function resolveHost(hostname: string): Promise<readonly string[]> {
    // Only the machine itself knows `localhost` and other one-label names, so no stranger's server can delay them.
    if (!hostname.includes('.')) return bySystem(hostname);
    const known = await askServers(resolver, hostname);
    if ('addresses' in known) return known.addresses;
    const release = await queue.take();
    if (!release) throw known.error;
    try {
      return await bySystem(hostname);
    } finally {
      release();
    }
  }

  return (hostname) => {
    const shared = running.get(hostname);
    if (shared) return shared;
    const started = resolveHost(hostname).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}

/** The addresses, or the error of a name that the machine may know. Throws any other error. */
async function askServers(
  resolver: Resolver,
  hostname: string,
): Promise<{ addresses: readonly string[] } | { error: Error }> {
  const v6 = ask(resolver.resolve6(hostname));
  const v4 = await ask(resolver.resolve4(hostname));
  const v6Known = await (v4.addresses.length > 0 ? atMost(SECOND_FAMILY_WAIT_MS, v6) : v6);
  const addresses = [...v4.addresses, ...(v6Known?.addresses ?? [])];
  if (addresses.length > 0) return { addresses };

  const error = [v4.error, v6Known?.error].find((each) => !UNKNOWN_TO_SERVERS.has(codeOf(each)));
  if (error !== undefined) throw error;
  return { error: v4.error ?? new Error(`${hostname} has no address`) };
}

async function lookupBySystem(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true, order: 'ipv4first' });
  return found.map((each) => each.address);
}

interface Answer {
  readonly addresses: readonly string[];
  readonly error?: Error;
}

async function ask(query: Promise<string[]>): Promise<Answer> {
  try {
    return { addresses: await query };
  } catch (error) {
    if (!isNativeError(error)) throw error;
    return { addresses: [], error };
  }
}

async function atMost<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
