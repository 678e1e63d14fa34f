import { performance } from 'node:perf_hooks';
import type { Log } from '../observe/log';
import type { Failure } from './failures';
import { codeOf } from './failures';
import type { Lookup } from './resolve-host';

export const OWN_FAULT_KINDS = ['proxy', 'resources', 'name_servers', 'secret'] as const;

/**
 * Trouble of our own that looks like a peer's. `proxy`: OUTBOUND_PROXY refuses us or cannot be reached. `resources`: no
 * file descriptor, memory or local address is left for a connection. `name_servers`: those of this machine answer
 * nothing. `secret`: a stored secret cannot be opened, as its key is not deployed.
 */
export type OwnFaultKind = (typeof OWN_FAULT_KINDS)[number];

/** Whether work that a fault may keep from succeeding can begin. `probe`: one piece of work, to see whether it is over. */
export type OwnFaultAdmission =
  | { readonly kind: 'open' }
  | { readonly kind: 'probe' }
  | { readonly kind: 'held'; readonly by: OwnFaultKind };

/**
 * What a process knows of its own trouble. A fault that one peer or secret (`key`) met holds that one alone, as it may be
 * the only one: a proxy may refuse one port. A fault that two met within 10 s, while nothing worked, holds everybody's
 * work. Either way one probe goes out every 5 s, and the first success ends it.
 */
export interface OwnFaults {
  /** Whose fault a request to `host` failed by; null: the peer's, or that of the network between. */
  judge(failure: Failure, host: string): OwnFaultKind | null;
  failed(kind: OwnFaultKind, key: string, detail: string): void;
  worked(kind: OwnFaultKind, key: string): void;
  /** Asked right before work for `keys` begins: whoever is told `probe` has the one of the next 5 s. */
  admit(keys: readonly string[]): OwnFaultAdmission;
  /** The same look-up, which tells what it says of the name servers. */
  watch(lookup: Lookup): Lookup;
}

export interface OwnFaultsOptions {
  readonly log: Log;
  /** Called for each failure by a fault of ours. */
  readonly onFault?: ((kind: OwnFaultKind) => void) | undefined;
  readonly probeEveryMs?: number;
  readonly clock?: () => number;
}

const PROBE_EVERY_MS = 5_000;
const SAY_AGAIN_MS = 60_000;

const PROXY_REFUSALS = new Set(['401', '403', '407', '429']);
const NOTHING_LEFT = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);
/** `ENOTFOUND` and `ENODATA` are answers. */
const NO_ANSWER = new Set([
  'ETIMEOUT',
  'ESERVFAIL',
  'EREFUSED',
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EAI_FAIL',
]);

/** The trouble that a failure shows by itself. That of name servers shows only in several names. */
function kindOf({ detail }: Failure): OwnFaultKind | null {
  const [first, ...rest] = detail.split(' ');
  if (first !== 'proxy') return NOTHING_LEFT.has(detail) ? 'resources' : null;
  const said = rest.join(' ');
  if (NOTHING_LEFT.has(said)) return 'resources';
  // Any other status is what it says of the peer.
  return /^\d+$/.test(said) && !PROXY_REFUSALS.has(said) ? null : 'proxy';
}

/** For operators, and for whoever asks why something waits. */
const WORDS: Readonly<Record<OwnFaultKind, string>> = {
  proxy: 'the proxy on the way out refuses us or cannot be reached; what is to be sent waits',
  resources: 'this process has no descriptor, memory or local address left for a connection',
  name_servers: 'the name servers answer for no name; what is to be sent waits',
  secret: 'a stored secret cannot be opened; what it signs waits',
};

/** One for each process. */
export function createOwnFaults({
  log,
  onFault,
  probeEveryMs = PROBE_EVERY_MS,
  clock = () => performance.now(),
}: OwnFaultsOptions): OwnFaults {
  const kinds: Readonly<Record<OwnFaultKind, Trouble>> = {
    proxy: createTrouble(probeEveryMs),
    resources: createTrouble(probeEveryMs),
    name_servers: createTrouble(probeEveryMs),
    secret: createTrouble(probeEveryMs),
  };
  const saidAt = new Map<OwnFaultKind, number>();
  const all = Object.entries(kinds) as [OwnFaultKind, Trouble][];

  function count(kind: OwnFaultKind, detail: string): void {
    onFault?.(kind);
    const now = clock();
    if (now - (saidAt.get(kind) ?? Number.NEGATIVE_INFINITY) < SAY_AGAIN_MS) return;
    saidAt.set(kind, now);
    log.warn({ own_fault: kind, detail }, WORDS[kind]);
  }

  function failed(kind: OwnFaultKind, key: string, detail: string): void {
    kinds[kind].failed(key, clock());
    count(kind, detail);
  }

  return {
    judge(failure, host) {
      const kind = kindOf(failure);
      if (kind !== null) failed(kind, host, failure.detail);
      if (kind !== null || failure.code !== 'dns_failed') return kind;
      if (!NO_ANSWER.has(failure.detail) || !kinds.name_servers.isEverybodys()) return null;
      count('name_servers', failure.detail);
      return 'name_servers';
    },
    failed,
    worked: (kind, key) => kinds[kind].worked(key, clock()),
    admit(keys) {
      const now = clock();
      const troubles = all.flatMap(([kind, trouble]) =>
        keys.filter((key) => trouble.concerns(key)).map((key) => ({ kind, trouble, key })),
      );
      const held = troubles.find(({ trouble, key }) => trouble.holds(key, now));
      if (held !== undefined) return { kind: 'held', by: held.kind };
      for (const { trouble, key } of troubles) trouble.beginProbe(key, now);
      return { kind: troubles.length === 0 ? 'open' : 'probe' };
    },
    watch: (lookup) => watchNameServers(lookup, kinds.name_servers, clock),
  };
}

/** One kind of trouble: whom it holds. Times in ms by one clock. */
interface Trouble {
  /** `isProof`: it worked for this key before, so a second key is enough to make it everybody's. */
  failed(key: string, now: number, isProof?: boolean): void;
  worked(key: string, now: number): void;
  isEverybodys(): boolean;
  /** Whether it keeps work for this key from beginning, or did until a probe that is due. */
  concerns(key: string): boolean;
  /** Whether work for this key must wait. */
  holds(key: string, now: number): boolean;
  /** The probe that is due goes out for this key; the next one is due 5 s later. */
  beginProbe(key: string, now: number): void;
}

/** Two keys that failed within this time, while none worked, make it everybody's trouble. */
const TOGETHER_MS = 10_000;
/** Who probed last lets others go first: its own failure may have another reason. */
const OTHERS_FIRST_MS = 1_200;

function createTrouble(probeEveryMs: number): Trouble {
  /** When each failed last, or a probe for it began. */
  const failures = new Map<string, number>();
  /** Of these, those that have failed since anything worked. */
  let sinceSuccess = new Set<string>();
  let [everybodys, lastKey, lastAt, workedAt] = [false, '', 0, Number.NEGATIVE_INFINITY];

  function forgetOld(now: number): void {
    for (const [key, at] of failures) {
      if (now - at <= TOGETHER_MS) continue;
      failures.delete(key);
      sinceSuccess.delete(key);
    }
  }

  return {
    failed(key, now, isProof = false) {
      failures.delete(key);
      if (!everybodys) forgetOld(now);
      failures.set(key, now);
      sinceSuccess.add(key);
      [lastKey, lastAt] = [key, now];
      everybodys ||= sinceSuccess.size > 1 && (isProof || now - workedAt > TOGETHER_MS);
    },
    worked(key, now) {
      failures.delete(key);
      if (sinceSuccess.size > 0) sinceSuccess = new Set();
      [everybodys, workedAt] = [false, now];
    },
    isEverybodys: () => everybodys,
    concerns: (key) => everybodys || failures.has(key),
    holds(key, now) {
      if (everybodys) return now - lastAt < probeEveryMs + (key === lastKey ? OTHERS_FIRST_MS : 0);
      const at = failures.get(key);
      return at !== undefined && now - at < probeEveryMs;
    },
    beginProbe(key, now) {
      if (everybodys) [lastKey, lastAt] = [key, now];
      else failures.set(key, now);
    },
  };
}

/**
 * A name that cannot be resolved says little of the name servers, since its own may be down. So the last name that was
 * answered is then asked for again, whose failure makes two.
 */
function watchNameServers(lookup: Lookup, trouble: Trouble, clock: () => number): Lookup {
  let answered: string | undefined;
  let isAsking = false;

  function hear(hostname: string, error: unknown): void {
    if (error === null || !NO_ANSWER.has(codeOf(error))) trouble.worked(hostname, clock());
    else trouble.failed(hostname, clock(), hostname === answered);
    if (error === null) answered = hostname;
  }

  function askForAnother(hostname: string): void {
    if (answered === undefined || answered === hostname || isAsking) return;
    const other = answered;
    isAsking = true;
    lookup(other)
      .then(
        () => hear(other, null),
        (error: unknown) => hear(other, error),
      )
      .finally(() => (isAsking = false));
  }

  return async (hostname) => {
    // The machine itself knows the others.
    if (!hostname.includes('.')) return lookup(hostname);
    try {
      const addresses = await lookup(hostname);
      hear(hostname, null);
      return addresses;
    } catch (error) {
      hear(hostname, error);
      if (NO_ANSWER.has(codeOf(error))) askForAnother(hostname);
      throw error;
    }
  };
}
