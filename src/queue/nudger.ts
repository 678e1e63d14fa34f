import type { Client } from '@temporalio/client';
import type { Sql } from '../db/client';
import { WAKE_SIGNAL } from '../domain/workflow-names';
import type { Log } from '../log';
import type { EntityKind } from './entity-kind';

export type NudgeResult = 'nudged' | 'unreachable';

export interface Nudger {
  /**
   * Tells the entity of `key` that a row was committed. `alive` is what the insert learned: a living entity is woken
   * by NOTIFY if it listens, a sleeping one by a signal that starts it if need be. Never throws: the row is safe,
   * and what is not nudged now is swept later.
   */
  nudge<Key>(kind: EntityKind<Key>, key: Key, alive: boolean): Promise<NudgeResult>;
  /** Signals under way have ended. */
  drained(): Promise<void>;
}

export interface NudgerDeps {
  readonly sql: Sql;
  readonly temporal: Client;
  readonly log: Log;
  /** Longest wait for Temporal to take a signal, ms. */
  readonly signalTimeoutMs?: number;
}

/** One signal per key under way, and at most one behind it for everybody who came meanwhile. */
interface Signalling {
  running: Promise<NudgeResult>;
  next: Promise<NudgeResult> | null;
}

export function createNudger(deps: NudgerDeps): Nudger {
  const signals = new Map<string, Signalling>();
  const notify = coalescedNotify(deps);

  async function signal<Key>(kind: EntityKind<Key>, key: Key): Promise<NudgeResult> {
    const deadline = Date.now() + (deps.signalTimeoutMs ?? 2_000);
    try {
      await deps.temporal.withDeadline(deadline, () =>
        deps.temporal.workflow.signalWithStart(kind.workflowType, {
          workflowId: kind.workflowId(key),
          taskQueue: kind.taskQueue,
          args: [kind.workflowInput(key)],
          signal: WAKE_SIGNAL,
          signalArgs: [],
          typedSearchAttributes: kind.searchAttributes(key),
        }),
      );
      return 'nudged';
    } catch (error) {
      deps.log.warn({ kind: kind.name, key: kind.keyText(key), err: error }, 'nudge failed');
      return 'unreachable';
    }
  }

  /** A signal that is already under way may be handled before our row was visible, so late comers share the next. */
  function signalOnce<Key>(kind: EntityKind<Key>, key: Key): Promise<NudgeResult> {
    const id = `${kind.name}/${kind.keyText(key)}`;
    const current = signals.get(id);
    if (current) {
      return (current.next ??= current.running.then(() => start()));
    }
    return start();

    function start(): Promise<NudgeResult> {
      const entry: Signalling = { running: signal(kind, key), next: null };
      signals.set(id, entry);
      void entry.running.then(() => {
        if (!entry.next && signals.get(id) === entry) signals.delete(id);
      });
      return entry.running;
    }
  }

  return {
    async nudge(kind, key, alive) {
      if (!alive) return signalOnce(kind, key);
      if (kind.wakeChannel !== null) notify(kind.wakeChannel, kind.keyText(key));
      return 'nudged';
    },
    async drained() {
      while (signals.size > 0) {
        await Promise.all([...signals.values()].map((each) => each.next ?? each.running));
      }
    },
  };
}

/** One `pg_notify` statement for all keys of a millisecond: a NOTIFY inside each insert costs a quarter of the throughput. */
function coalescedNotify({ sql, log }: NudgerDeps): (channel: string, key: string) => void {
  const due = new Map<string, Set<string>>();
  const flush = async (): Promise<void> => {
    const batches = [...due].map(([channel, keys]) => ({ channel, keys: [...keys] }));
    due.clear();
    for (const { channel, keys } of batches) {
      await sql`select pg_notify(${channel}, key) from unnest(${keys}::text[]) as key`;
    }
  };
  return (channel, key) => {
    if (due.size === 0) {
      setTimeout(() => {
        flush().catch((error: unknown) => log.warn({ err: error }, 'notify failed'));
      }, 1);
    }
    const keys = due.get(channel) ?? new Set();
    due.set(channel, keys.add(key));
  };
}
