import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { inBackground } from '../../in-background';
import type { Connection } from './connection';
import { withDeadline } from './statement-deadline';
import { untilLost } from './until-lost';

export interface SilenceWatch {
  stop(): void;
}

/** Longer than nearly every statement takes, so that hardly any is asked for. */
const SILENT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
/** An answer that was sent before the server said that it is done has arrived by then. */
const ARRIVES_WITHIN_MS = 500;
/** With what a deadline adds it is 2.5 s: one that is silent itself must not keep the next from asking for long. */
const WITNESS_TIMEOUT_MS = 500;

/**
 * Finds connections that have been forgotten on the way: we wait for an answer, and the server is not at work on
 * anything for us. By themselves they would cost their statements the whole deadline, long after the server is back. The
 * server is asked over a connection of its own; while it does not answer there, nothing is concluded.
 */
export function watchSilence(open: () => Connection, inUse: ReadonlySet<Connection>): SilenceWatch {
  let isLooking = false;

  async function look(silent: readonly Connection[]): Promise<void> {
    const witness = open();
    try {
      const pids = silent.map((each) => each.waiting()?.pid ?? 0);
      const asked = untilLost(
        witness,
        () => witness.library<{ pid: number }[]>`
          select pid from pg_stat_activity where pid = any (${pids}::int[]) and state = 'active'`,
      );
      const late = { cancel: () => {}, onDead: witness.destroy };
      const atWork = new Set(
        (await withDeadline(asked, WITNESS_TIMEOUT_MS, late)).map(({ pid }) => pid),
      );
      const forgotten = silent
        .map((connection) => ({ connection, before: connection.waiting() }))
        .filter(({ before }) => before !== null && !atWork.has(before.pid));
      if (forgotten.length === 0) return;
      await delay(ARRIVES_WITHIN_MS);
      await turn(); // what has arrived is read before this goes on
      for (const { connection, before } of forgotten) {
        const now = connection.waiting();
        if (now?.since === before?.since && now?.bytesRead === before?.bytesRead)
          connection.destroy();
      }
    } finally {
      await witness.end();
    }
  }

  const timer = setInterval(() => {
    const silent = [...inUse].filter((each) => {
      const waiting = each.waiting();
      return waiting !== null && performance.now() - waiting.since > SILENT_MS;
    });
    if (silent.length === 0 || isLooking) return;
    isLooking = true;
    // A server that cannot be asked is away: its statements end by their deadlines, or when it is back.
    inBackground(
      look(silent).finally(() => (isLooking = false)),
      () => {},
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
