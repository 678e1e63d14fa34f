import { BOUNDS } from '../../platform/admission/bounds';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { AppError } from '../../platform/errors';
import {
  createThreadPool,
  refuseIfBusy,
  type ThreadPool,
} from '../../platform/threads/thread-pool';
import { freeIfLarge } from '../../platform/threads/free-memory';
import { ownMemory } from '../../platform/threads/serve-thread';
import { serviceBusy } from '../../platform/admission/service-busy';
import type { CallerKey } from '../admission/caller-key';
import type { BodyTask, BodyTaskResult, LargeBodies } from './body-task';
import { type JsonBody, type JsonReading, type ReadSettings, SMALL_BODY } from './request-body';

/** Reads the JSON of bodies; large ones in a thread. */
export interface BodyReader {
  /**
   * Throws the 400 if the body is not a JSON object, and the 503 if the thread is not free in time. Takes `bytes`:
   * large ones are empty afterwards. The thread takes turns by `key`, the sender.
   */
  read(rule: JsonBody<unknown>, bytes: Buffer, key: CallerKey): Promise<JsonReading<unknown>>;
  close(): Promise<void>;
}

/**
 * One thread for large bodies: the worst body of 10 MB is parsed within 96 MB, and each thread more would take as
 * much again. Large bodies are seldom, and those that wait hold nothing but their bytes, which the budget of the
 * process bounds. The patient thread takes only bodies up to SMALL_BODY, a fortieth of that.
 */
const THREADS = 1;
const THREAD_MEMORY = { memoryMb: 112, youngMb: 12 };
/** A patient body is read in the event loop up to this size, where a thread would cost more than it spares. */
const TINY_BODY = 8 * 1024;
/** The worst body takes half a second. */
const DEADLINE_MS = 10_000;
const LONGEST_WAIT_MS = 20_000;
const IDLE_MS = 10_000;

export interface BodyReaderDeps {
  readonly settings: ReadSettings;
  readonly bounds: Bounds;
  readonly large: LargeBodies;
  /** The programs that read `large` in threads. */
  readonly threads: BodyThreads;
}

/** `prompt` reads large bodies; `patient` smaller ones that let everything else in the process go first. */
export type BodyThreads = Readonly<Record<'prompt' | 'patient', string>>;

type BodyPool = ThreadPool<BodyTask, BodyTaskResult>;

export function createBodyReader({ settings, bounds, large, threads }: BodyReaderDeps): BodyReader {
  const values = bounds.declare('body_values');
  const pools = { prompt: createPool(threads.prompt), patient: createPool(threads.patient) };
  const waiting = bounds.declare('waiting_bodies', {
    used: () => pools.prompt.waiting() + pools.patient.waiting(),
  });
  // Only the needed settings: a whole configuration contains secrets, and would be copied.
  const { MENU_EQUAL_QUANTITIES, MENU_ZERO_PRICES } = settings;
  const own: ReadSettings = { MENU_EQUAL_QUANTITIES, MENU_ZERO_PRICES };

  /** Where a body of this size is read; undefined = in the event loop. */
  function poolFor({ name, isPatient }: JsonBody<unknown>, size: number): BodyPool | undefined {
    if (!large.has(name)) return undefined;
    if (size > SMALL_BODY) return pools.prompt;
    return isPatient && size > TINY_BODY ? pools.patient : undefined;
  }

  function readHere(rule: JsonBody<unknown>, bytes: Buffer): JsonReading<unknown> {
    try {
      return rule.read(bytes, own);
    } finally {
      freeIfLarge(bytes);
    }
  }

  async function readInThread(
    pool: BodyPool,
    name: string,
    bytes: Buffer,
    key: CallerKey,
  ): Promise<JsonReading<unknown>> {
    const outcome = await pool
      .run(key, async () => ({ value: { name, bytes, settings: own }, transfer: ownMemory(bytes) }))
      .catch(refuseIfBusy(waiting, key));
    if (outcome.kind !== 'done') throw serviceBusy();
    const { value } = outcome;
    if (value.kind === 'read') return value.reading;
    throw new AppError(value.code, value.sentences);
  }

  return {
    async read(rule, bytes, key) {
      const pool = poolFor(rule, bytes.length);
      try {
        const reading =
          pool === undefined
            ? readHere(rule, bytes)
            : await readInThread(pool, rule.name, bytes, key);
        values.meet(reading.values);
        return reading;
      } catch (error) {
        if (error instanceof AppError && error.code === 'too_many_values') values.hit(key);
        throw error;
      }
    },
    async close() {
      await Promise.all([pools.prompt.close(), pools.patient.close()]);
    },
  };
}

function createPool(file: string): BodyPool {
  return createThreadPool({
    file,
    threads: THREADS,
    ...THREAD_MEMORY,
    deadlineMs: DEADLINE_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    maxWaiting: BOUNDS.waiting_bodies.limit,
    idleMs: IDLE_MS,
  });
}
