import { setImmediate as afterReading, setTimeout as delay } from 'node:timers/promises';
import { inBackground } from '../../in-background';
import type { Connection } from './connection';
import { withDeadline } from './statement-deadline';
import { untilLost } from './until-lost';

export interface SilenceWatch {
  stop(): void;
}

/** Longer than nearly every statement takes, so that few are checked. */
const SILENT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;
/** By then, an answer sent before the server reported that it is idle has arrived. */
const ARRIVES_WITHIN_MS = 500;
/** 2.5 s with the margin of the deadline, so that a silent check does not delay the next one for long. */
const WITNESS_TIMEOUT_MS = 500;

/**
 * Finds connections that were lost silently: we wait for an answer, but the server is not working on anything for us.
 * Otherwise their statements would wait for their whole deadline, long after the server is back. The server is asked
 * over a separate connection; if it does not answer there, nothing is concluded.
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
      await afterReading(); // reads what has arrived before continuing
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
    // A server that cannot be asked is away: its statements end at their deadlines, or when it is back.
    inBackground(
      look(silent).finally(() => (isLooking = false)),
      () => {},
    );
  }, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
