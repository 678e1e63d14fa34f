import type { Bound } from '../admission/bound-metrics';
import type { Release } from '../admission/permits';
import { createPermitQueue } from '../admission/permit-queue';
import { serviceBusy } from '../admission/service-busy';
import type { Handed } from './serve-thread';
import { startThread, type Thread, type ThreadMemory } from './thread';
import type { ThreadOutcome } from './thread-outcome';

/**
 * Threads for work that would block the event loop. Our own hundred lines rather than a library, because a deadline
 * must count from the start of the work, not from its place in a queue, and the 10 MB of input must be read only
 * then.
 */
export interface ThreadPool<Input, Output> {
  /**
   * Requests the input when it is the turn of the key, such as the user whose task it is. Throws `ThreadsBusyError` if
   * none comes in time.
   */
  run(key: string, input: () => Promise<Handed<Input>>): Promise<ThreadOutcome<Output>>;
  /** Takes a thread for several tasks, one after the other, when it is the turn of the key. Throws as `run` does. */
  hold(key: string): Promise<HeldThread<Input, Output>>;
  /** How many tasks wait for a thread. */
  waiting(): number;
  /** Ends all threads; their tasks fail. */
  close(): Promise<void>;
}

/** A thread for one holder alone, until it is released. */
export interface HeldThread<Input, Output> {
  run(input: Handed<Input>): Promise<ThreadOutcome<Output>>;
  /** Must be called, also after an error. */
  release(): void;
}

export interface ThreadPoolOptions extends ThreadMemory {
  /** The code of a thread: absolute, without extension. */
  readonly file: string;
  readonly threads: number;
  /** Time of one task, ms. */
  readonly deadlineMs: number;
  /** How many tasks may wait for a thread, shared by their keys, and how long, ms. */
  readonly maxWaiting: number;
  readonly longestWaitMs: number;
  /** An idle thread is ended after this time, ms, which frees its memory. */
  readonly idleMs: number;
}

/** All threads were busy for too long. */
export class ThreadsBusyError extends Error {
  override readonly name = 'ThreadsBusyError';
}

/** For a task's `catch`: if all threads were busy, it is a hit of the bound, and the 503. */
export function refuseIfBusy(bound: Bound, key: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ThreadsBusyError)) throw error;
    bound.hit(key);
    throw serviceBusy();
  };
}

export function createThreadPool<Input, Output>(
  options: ThreadPoolOptions,
): ThreadPool<Input, Output> {
  const all = new Set<Thread<Input, Output>>();
  const idle: { thread: Thread<Input, Output>; timer: NodeJS.Timeout }[] = [];
  const queue = createPermitQueue<string>({
    atOnce: { ofAll: options.threads },
    waiting: { ofAll: options.maxWaiting, ofKey: 'three quarters' },
    longestWaitMs: options.longestWaitMs,
  });

  async function permitOf(key: string): Promise<Release> {
    const release = await queue.take(key);
    if (!release) throw new ThreadsBusyError('All threads are at work.');
    return release;
  }

  function take(): Thread<Input, Output> {
    const known = idle.pop();
    if (known) {
      clearTimeout(known.timer);
      return known.thread;
    }
    const thread = startThread<Input, Output>(options.file, options);
    all.add(thread);
    return thread;
  }

  function park(thread: Thread<Input, Output>): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((each) => each.thread === thread),
        1,
      );
      // Ending a thread cannot fail.
      drop(thread).catch(() => {});
    }, options.idleMs).unref();
    idle.push({ thread, timer });
  }

  async function drop(thread: Thread<Input, Output>): Promise<void> {
    all.delete(thread);
    await thread.end();
  }

  async function runOne(input: Handed<Input>): Promise<ThreadOutcome<Output>> {
    const thread = take();
    let isUsable = false;
    try {
      const outcome = await thread.run(input, options.deadlineMs);
      isUsable = outcome.kind === 'done';
      return outcome;
    } finally {
      if (isUsable) park(thread);
      else await drop(thread);
    }
  }

  return {
    waiting: queue.waiting.used,
    async run(key, input) {
      const release = await permitOf(key);
      try {
        return await runOne(await input());
      } finally {
        release();
      }
    },
    async hold(key) {
      return { release: await permitOf(key), run: runOne };
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map(drop));
    },
  };
}
