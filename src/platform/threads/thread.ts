import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Handed } from './serve-thread';
import type { ThreadMessage, ThreadOutcome } from './thread-outcome';

/** One thread beside the event loop. After any result but `done`, and after an exception, it is unusable. */
export interface Thread<Input, Output> {
  /** Runs one task at a time. `deadlineMs` counts from when the thread is ready; after it the thread is ended. */
  run(input: Handed<Input>, deadlineMs: number): Promise<ThreadOutcome<Output>>;
  end(): Promise<void>;
}

/** Loading takes 50 ms from a build, and seconds from source on a busy machine. */
const LONGEST_START_MS = 30_000;

/** How much heap a thread may take. */
export interface ThreadMemory {
  readonly memoryMb: number;
  /**
   * The part for what was just made, besides `memoryMb`. V8 takes two thirds of it and rounds up to a power of two:
   * 8 MB for 12, 32 MB for 48. If the work of one task does not fit, what it made is copied again and again: with 12,
   * V8's own threads, which have a normal priority, took 19 to 30 ms of CPU for a preview of 630 entities; with 32 or
   * 48, which are the same size, 8 to 16.
   */
  readonly youngMb: number;
}

/** Starts a thread with the code in `file`, absolute and without extension. */
export function startThread<Input, Output>(
  file: string,
  { memoryMb, youngMb }: ThreadMemory,
): Thread<Input, Output> {
  const extension = extname(__filename);
  const worker = new Worker(`${file}${extension}`, {
    // By default a thread gets a copy of the environment, which contains secrets.
    env: {},
    // Code that runs from source must be compiled in its threads too, and they do not inherit the loader.
    execArgv: extension === '.ts' ? ['--require', require.resolve('tsx/cjs')] : [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
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
  // The caller awaits it with the first task; an earlier rejection is ignored here.
  ready.catch(() => {});
  // An idle thread does not keep the process alive.
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
          : new Error('The thread sent a message out of order.');
      } catch (error) {
        if (isOutOfMemory(error)) return { kind: 'out_of_memory' };
        throw error;
      } finally {
        worker.unref();
      }
    },
  };
}

/** Undefined if `promise` takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  // An abortable delay would make an `AbortSignal` for each task, which outlives what is just made.
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
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
