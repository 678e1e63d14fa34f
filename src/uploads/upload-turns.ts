import type { Credential } from '../delivery-apps/tokens/app-access';
import type { AppTokens } from '../delivery-apps/tokens/app-tokens';
import type { Sql } from '../platform/db/client';
import type { AttemptKey } from './sql/upload-attempts';
import { awaitTurn, callTurns, type TurnName } from './sql/upload-turns';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import { menuEntity } from './menu-entity';
import type { Nudger } from '../platform/queue/nudger';

/** Lets uploads wait for one another in their rows, so that a waiting one holds nothing in a worker. */
export interface UploadTurns {
  /**
   * Puts an attempt back to wait for `turn`. `isFree` is checked once more afterwards, because the last end may have
   * come just before.
   */
  wait(
    attempt: AttemptKey,
    turn: TurnName,
    isFree: () => boolean | Promise<boolean>,
  ): Promise<void>;
  /**
   * Lets up to `count` uploads continue. Not waited for and never throws: an upload that is not called continues when
   * its time is over.
   */
  call(turn: TurnName, count: number): void;
  /**
   * The same for a turn that ends often: unless an upload of this process waits for it, it queries only once a
   * second.
   */
  callWaiting(turn: TurnName, count: number): void;
}

export interface UploadTurnsDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
}

/** For uploads whose worker died before calling them. Long, because each such try costs an attempt. */
const AT_MOST_MS = 120_000;

/** One token lets hundreds continue, and nudging must leave room for other work. */
const NUDGES_AT_ONCE = 20;

/** Another worker may have made an upload wait and died before calling it. */
const LOOK_EVERY_MS = 1_000;

export function createUploadTurns({ sql, nudger, log }: UploadTurnsDeps): UploadTurns {
  /** Turns that uploads of this process may be waiting for. */
  const awaited = new Set<TurnName>();
  /** When each turn was last queried, by `performance.now()`. One entry per integration. */
  const lookedAt = new Map<TurnName, number>();

  async function callAll(turn: TurnName, count: number): Promise<void> {
    const keys = [...(await callTurns(sql, turn, count))];
    // There may be more.
    if (keys.length === count) awaited.add(turn);
    while (keys.length > 0) {
      const some = keys.splice(0, NUDGES_AT_ONCE);
      await Promise.all(some.map((key) => nudger.nudge(menuEntity, key, false)));
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
      // Not earlier: only now does an end in between find the row, by `isFree`.
      awaited.add(turn);
      if (await isFree()) call(turn, 1);
    },
  };
}

/** The turn for the token of a credential. */
export function tokenTurn(credentialKey: string): TurnName {
  return `token/${credentialKey}`;
}

/** Puts an attempt back to wait for the token that another upload is fetching. */
export function awaitToken(
  { turns, tokens }: { readonly turns: UploadTurns; readonly tokens: AppTokens },
  attempt: AttemptKey,
  credential: Credential,
): Promise<void> {
  const isFree = async (): Promise<boolean> => !(await tokens.isBeingFetched(credential));
  return turns.wait(attempt, tokenTurn(credential.key), isFree);
}
