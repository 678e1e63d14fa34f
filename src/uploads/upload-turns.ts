import type { Credential } from '../delivery-apps/tokens/app-access';
import type { AppTokens } from '../delivery-apps/tokens/app-tokens';
import type { Sql } from '../platform/db/client';
import type { AttemptKey } from './sql/upload-attempts';
import { awaitTurn, callTurns, type TurnName } from './sql/upload-turns';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import { menuKind } from './menu-kind';
import type { Nudger } from '../platform/queue/nudger';

/** Uploads that wait for one another, in their rows: while one waits, nothing in a worker is held for it. */
export interface UploadTurns {
  /** Sends an attempt back to wait for `turn`; `isFree` is asked once more behind it, as the last end may have come before. */
  wait(
    attempt: AttemptKey,
    turn: TurnName,
    isFree: () => boolean | Promise<boolean>,
  ): Promise<void>;
  /** Lets up to `count` uploads go on. Not waited for and never throws: who is not called goes on by itself when its time is over. */
  call(turn: TurnName, count: number): void;
  /** The same for a turn that ends often: as long as this process has sent nobody to wait for it, it looks once a second. */
  callWaiting(turn: TurnName, count: number): void;
}

export interface UploadTurnsDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
}

/** When the worker that would have called has died. Long, as each such look costs an attempt. */
const AT_MOST_MS = 120_000;

/** A token lets hundreds go on, and what nudges them has other work too. */
const NUDGES_AT_ONCE = 20;

/** Others may have sent an upload to wait, and died before they called it. */
const LOOK_EVERY_MS = 1_000;

export function createUploadTurns({ sql, nudger, log }: UploadTurnsDeps): UploadTurns {
  /** Turns that uploads of this process may wait for. */
  const awaited = new Set<TurnName>();
  /** When it was last looked who waits for a turn, by `performance.now()`. As many as there are integrations. */
  const lookedAt = new Map<TurnName, number>();

  async function callAll(turn: TurnName, count: number): Promise<void> {
    const keys = [...(await callTurns(sql, turn, count))];
    // There may be more.
    if (keys.length === count) awaited.add(turn);
    while (keys.length > 0) {
      const some = keys.splice(0, NUDGES_AT_ONCE);
      await Promise.all(some.map((key) => nudger.nudge(menuKind, key, false)));
    }
  }
  function call(turn: TurnName, count: number): void {
    inBackground(callAll(turn, count), (error) =>
      log.warn({ turn, err: error }, 'uploads that wait could not be called'),
    );
  }
  return {
    call,
    callWaiting(turn, count) {
      const now = performance.now();
      const isDue = now - (lookedAt.get(turn) ?? Number.NEGATIVE_INFINITY) >= LOOK_EVERY_MS;
      if (count === 0 || (!isDue && !awaited.has(turn))) return;
      lookedAt.set(turn, now);
      awaited.delete(turn);
      call(turn, count);
    },
    async wait(attempt, turn, isFree) {
      await awaitTurn(sql, attempt, turn, AT_MOST_MS);
      // Not before: an end in between finds the row only now, by `isFree`.
      awaited.add(turn);
      if (await isFree()) call(turn, 1);
    },
  };
}

/** The turn of those who wait for the token of a credential. */
export function tokenTurn(credentialKey: string): TurnName {
  return `token/${credentialKey}`;
}

/** Sends an attempt back to wait for the token that another upload fetches. */
export function awaitToken(
  { turns, tokens }: { readonly turns: UploadTurns; readonly tokens: AppTokens },
  attempt: AttemptKey,
  credential: Credential,
): Promise<void> {
  const isFree = async (): Promise<boolean> => !(await tokens.isBeingFetched(credential));
  return turns.wait(attempt, tokenTurn(credential.key), isFree);
}
