import { setTimeout as sleep } from 'node:timers/promises';
import { withinMs } from './within-ms';

/** How patient a call is; all times in ms. */
interface Patience {
  /** Repeats after the first try. */
  readonly repeats: number;
  /** Of one try, from the connection to the last byte. More than the service waits for outcomes (25 s as delivered). */
  readonly timeoutMs: number;
  /** The pause before the first repeat; each further one is twice as long, up to 20 s, less up to half by chance. */
  readonly firstPauseMs: number;
}

export type PatienceOptions = { readonly [Name in keyof Patience]?: Patience[Name] | undefined };

/** Patience as given; what is absent or undefined has its default. */
export function patienceOf({
  repeats = 4,
  timeoutMs = 60_000,
  firstPauseMs = 500,
}: PatienceOptions): Patience {
  return { repeats, timeoutMs, firstPauseMs };
}

const LONGEST_PAUSE_MS = 20_000;
/** A `Retry-After` above this is left to the caller. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** A complete answer. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the request and reads the whole answer: an answer that breaks off counts as none. */
export type Try = (signal: AbortSignal) => Promise<Received>;

/**
 * Tries until there is an answer that a repeat would not change. Without an answer after all repeats the last failure is
 * thrown: that of the connection, or a `TimeoutError`.
 */
export async function withRepeats(
  attempt: Try,
  { repeats, timeoutMs, firstPauseMs }: Patience,
  signal?: AbortSignal,
): Promise<Received> {
  for (let made = 0; ; made += 1) {
    signal?.throwIfAborted();
    const outcome = await settle(withinMs(timeoutMs, attempt, signal));
    if (signal?.aborted) throw signal.reason;
    const pauseMs = pauseAfter(outcome, firstPauseMs * 2 ** made);
    if (made >= repeats || pauseMs === null) {
      if ('failure' in outcome) throw outcome.failure;
      return outcome;
    }
    await sleep(pauseMs, undefined, signal ? { signal } : {});
  }
}

interface Failed {
  readonly failure: unknown;
}

function settle<Value>(work: Promise<Value>): Promise<Value | Failed> {
  return work.catch((failure: unknown) => ({ failure }));
}

/** Null: a repeat would be answered the same, or only after longer than anybody should wait here. */
function pauseAfter(outcome: Received | Failed, backoffMs: number): number | null {
  const pause = Math.min(backoffMs, LONGEST_PAUSE_MS) * (1 - Math.random() / 2);
  if ('failure' in outcome) return pause;
  const retryAfter = outcome.headers.get('retry-after');
  // A 409 with Retry-After: the first request with this key is still running.
  const waits = outcome.status === 409 && retryAfter !== null;
  if (!waits && outcome.status < 500 && ![408, 429].includes(outcome.status)) return null;
  const askedMs = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0;
  return askedMs > LONGEST_RETRY_AFTER_MS ? null : Math.max(askedMs, pause);
}
