import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Handed } from './serve-thread';
import type { ThreadMessage, ThreadOutcome } from './thread-outcome';

/** One thread beside the event loop. After any end but `done` and after an exception it is of no more use. */
export interface Thread<Input, Output> {
  /** One task at a time. `deadlineMs` counts from when the thread is ready; past it the thread is ended. */
  run(input: Handed<Input>, deadlineMs: number): Promise<ThreadOutcome<Output>>;
  end(): Promise<void>;
}

/** Loading takes 50 ms from a build, and seconds from source on a busy machine. */
const LONGEST_START_MS = 30_000;

/** Starts a thread with the code in `file`, absolute and without extension, and `memoryMb` of heap at most. */
export function startThread<Input, Output>(file: string, memoryMb: number): Thread<Input, Output> {
  const extension = extname(__filename);
  const worker = new Worker(`${file}${extension}`, {
    // Unless told otherwise a thread gets a copy of the environment, where the secrets are.
    env: {},
    // Code that runs from source is compiled in its threads too; those do not inherit how.
    execArgv: extension === '.ts' ? ['--require', require.resolve('tsx/cjs')] : [],
    // A smaller nursery than the usual costs nothing that is measured, and keeps 17 MB out of the process.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 12 },
  });
  let heard: ((message: ThreadMessage<Output>) => void) | undefined;
  let broke: ((error: unknown) => void) | undefined;
  const next = () =>
    new Promise<ThreadMessage<Output>>((resolve, reject) => {
      heard = resolve;
      broke = reject;
    });
  worker.on('message', (message: ThreadMessage<Output>) => heard?.(message));
  worker.on('messageerror', (error) => broke?.(error));
  worker.on('error', (error) => broke?.(error));
  let hasEnded = false;
  worker.on('exit', () => {
    hasEnded = true;
    broke?.(new Error('The thread has ended.'));
  });
  const ready = within(next(), LONGEST_START_MS);
  // Its owner asks for it with the first task; until then nobody minds.
  ready.catch(() => {});
  // An idle thread keeps no process alive.
  worker.unref();

  async function end(): Promise<void> {
    await worker.terminate();
  }

  return {
    end,
    async run({ value, transfer }, deadlineMs) {
      worker.ref();
      try {
        if ((await ready) === undefined) throw new Error('The thread did not start.');
        if (hasEnded) throw new Error('The thread has ended.');
        const answer = next();
        worker.postMessage(value, transfer);
        const message = await within(answer, deadlineMs);
        if (message === undefined) return { kind: 'too_late' };
        if (message.kind === 'done') return message;
        throw message.kind === 'failed'
          ? message.error
          : new Error('The thread spoke out of turn.');
      } catch (error) {
        if (isOutOfMemory(error)) return { kind: 'out_of_memory' };
        throw error;
      } finally {
        worker.unref();
      }
    },
  };
}

/** Undefined when `promise` takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const done = new AbortController();
  try {
    const late = delay(ms, undefined, { signal: done.signal }).catch(() => undefined);
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  );
}
