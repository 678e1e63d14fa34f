import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { PROMPT_CALL_MS } from '../temporal/connection';
import { WAKE_SIGNAL, WORKFLOW_TASK_TIMEOUT } from '../temporal/workflow-names';
import type { Log } from '../observe/log';
import { createOutageLog } from '../observe/outage-log';
import type { WorkflowKind } from './workflow-kind';
import { inBackground } from '../in-background';

export type WakeResult = 'woken' | 'unreachable';

export interface Waker {
  /**
   * Tells the workflow of `key` that a row was committed. `leased` comes from the insert: a workflow with the lease looks again by
   * itself, any other gets a signal that starts it. Never throws: the row is safe. A signal that Temporal did not take
   * is repeated for some seconds, and then left to the sweep.
   */
  wake<Key>(kind: WorkflowKind<Key>, key: Key, leased: boolean): Promise<WakeResult>;
  /** Resolves when all signals have ended and none will be retried. */
  ended(): Promise<void>;
}

/** The arguments of `wake`. */
interface Wake<Key> {
  readonly kind: WorkflowKind<Key>;
  readonly key: Key;
  readonly leased: boolean;
}

export interface WakerDeps {
  /** Its calls must end by themselves (`callTimeoutMs`), because `ended` waits for them. */
  readonly temporal: Client;
  readonly log: Log;
  /** Longest wait for Temporal to take a signal, ms. */
  readonly signalTimeoutMs?: number;
  /** Pauses before a signal that was not taken is repeated, ms. */
  readonly repeatAfterMs?: readonly number[];
}

/** The latest signal to a key, and at most one more for all callers that came during it. */
interface Signalling {
  readonly result: Promise<WakeResult>;
  isUnderWay: boolean;
  next: Promise<WakeResult> | null;
}

/** For an outage of seconds, such as a restart: the sweep would find the rows only after half a minute. */
const REPEAT_AFTER_MS = [1_000, 2_000, 4_000, 8_000];
/** Keys whose signals are repeated at a time; more are left to the sweep, so a long outage costs nothing. */
const MOST_REPEATED = 200;

export function createWaker(deps: WakerDeps): Waker {
  const { repeatAfterMs = REPEAT_AFTER_MS } = deps;
  const signals = new Map<string, Signalling>();
  const repeats = new Map<string, NodeJS.Timeout>();
  let isEnding = false;
  const outage = createOutageLog(deps.log, {
    begun:
      'Temporal takes no signals to workflows; they are repeated, and the sweep finds what they were for',
    over: 'Temporal takes signals again',
  });
  const calls = new Set<Promise<unknown>>();

  async function signal<Key>(kind: WorkflowKind<Key>, key: Key): Promise<WakeResult> {
    const timeoutMs = deps.signalTimeoutMs ?? PROMPT_CALL_MS;
    const call = deps.temporal.workflow.signalWithStart(kind.workflowType, {
      workflowId: kind.workflowId(key),
      taskQueue: kind.taskQueue,
      args: [kind.workflowInput(key)],
      signal: WAKE_SIGNAL,
      signalArgs: [],
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      typedSearchAttributes: kind.searchAttributes(key),
    });
    calls.add(call);
    try {
      await within(timeoutMs, call);
      outage.over();
      return 'woken';
    } catch (error) {
      outage.failed(error);
      return 'unreachable';
    } finally {
      const forgetCall = () => calls.delete(call);
      call.then(forgetCall, forgetCall);
    }
  }

  /** A signal already in progress may be handled before our row was visible, so later callers share the next one. */
  function signalOnce<Key>(kind: WorkflowKind<Key>, key: Key): Promise<WakeResult> {
    const id = idOf(kind, key);
    const latest = signals.get(id);
    if (latest?.isUnderWay) return (latest.next ??= latest.result.then(start));
    return start();

    function start(): Promise<WakeResult> {
      const entry: Signalling = { result: signal(kind, key), isUnderWay: true, next: null };
      signals.set(id, entry);
      const onEnd = (): void => {
        entry.isUnderWay = false;
        if (signals.get(id) === entry) signals.delete(id);
      };
      entry.result.then(onEnd, onEnd);
      return entry.result;
    }
  }

  /** Repeats a signal that was not taken, in the background; `tries` is how often that has been done. */
  function repeatLater<Key>(kind: WorkflowKind<Key>, key: Key, tries: number): void {
    const id = idOf(kind, key);
    const pauseMs = repeatAfterMs[tries];
    const isLeftToSweep = pauseMs === undefined || repeats.size >= MOST_REPEATED;
    if (isEnding || isLeftToSweep || repeats.has(id)) return;
    const repeat = async (): Promise<void> => {
      repeats.delete(id);
      const result = await signalOnce(kind, key);
      if (result === 'unreachable') repeatLater(kind, key, tries + 1);
    };
    const timer = setTimeout(() => inBackground(repeat(), () => {}), pauseMs);
    repeats.set(id, timer.unref());
  }

  function forgetRepeat(id: string): void {
    clearTimeout(repeats.get(id));
    repeats.delete(id);
  }

  return {
    async wake(kind, key, leased) {
      if (leased) return 'woken';
      const result = await signalOnce(kind, key);
      if (result === 'unreachable') repeatLater(kind, key, 0);
      else forgetRepeat(idOf(kind, key));
      return result;
    },
    async ended() {
      isEnding = true;
      for (const id of repeats.keys()) forgetRepeat(id);
      for (;;) {
        const underWay = [...signals.values()].filter((each) => each.isUnderWay);
        if (underWay.length === 0) break;
        await Promise.all(underWay.map((each) => each.next ?? each.result));
      }
      await Promise.allSettled(calls);
    },
  };
}

/** Wakes without making the caller wait; calls `onUnreachable` if only the sweep will find the row. */
export function wakeInBackground<Key>(
  waker: Pick<Waker, 'wake'>,
  { kind, key, leased }: Wake<Key>,
  onUnreachable: () => void,
): void {
  const woken = waker.wake(kind, key, leased).then((result) => {
    if (result === 'unreachable') onUnreachable();
  });
  inBackground(woken, onUnreachable);
}

function idOf<Key>(kind: WorkflowKind<Key>, key: Key): string {
  return `${kind.name}/${kind.keyText(key)}`;
}

/** The SDK notices a deadline only at its next try, possibly more than a second later. */
async function within(ms: number, call: Promise<unknown>): Promise<void> {
  const answered = new AbortController();
  const tooLate = delay(ms, undefined, { signal: answered.signal }).then(() => {
    throw new Error(`Temporal did not answer within ${ms} ms`);
  });
  try {
    await Promise.race([call, tooLate]);
  } finally {
    answered.abort();
  }
}
