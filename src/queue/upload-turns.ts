import type { Sql } from '../db/client';
import { awaitTurn, callTurns, type TurnName } from '../db/upload-turns';
import type { UploadId } from '../ids';
import { inBackground } from '../in-background';
import type { Log } from '../log';
import { menuKind } from './menu-kind';
import type { Nudger } from './nudger';

/** Uploads that wait for one another, in their rows: while one waits, nothing in a worker is held for it. */
export interface UploadTurns {
  /** Sends an attempt back to wait for `turn`; `isFree` is asked once more behind it, as the last end may have come before. */
  wait(
    upload: { readonly uploadId: UploadId; readonly attemptNo: number },
    turn: TurnName,
    isFree: () => boolean | Promise<boolean>,
  ): Promise<void>;
  /** Lets up to `count` uploads go on. Not waited for and never throws: who is not called goes on by itself when its time is over. */
  call(turn: TurnName, count: number): void;
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

export function createUploadTurns({ sql, nudger, log }: UploadTurnsDeps): UploadTurns {
  async function callAll(turn: TurnName, count: number): Promise<void> {
    const keys = [...(await callTurns(sql, turn, count))];
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
    async wait({ uploadId, attemptNo }, turn, isFree) {
      await awaitTurn(sql, uploadId, attemptNo, turn, AT_MOST_MS);
      if (await isFree()) call(turn, 1);
    },
  };
}
