import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createThreadPool,
  type ThreadPool,
  type ThreadPoolOptions,
} from '../../src/platform/threads/thread-pool';
import type { ScriptedTask } from '../support/child-scripted-thread';

const pools: ThreadPool<ScriptedTask, unknown>[] = [];

function startPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool<ScriptedTask, unknown> {
  const pool = createThreadPool<ScriptedTask, unknown>({
    file: join(__dirname, '../support/child-scripted-thread'),
    threads: 2,
    deadlineMs: 20_000,
    maxWaiting: 10,
    longestWaitMs: 20_000,
    memoryMb: 64,
    youngMb: 12,
    idleMs: 20_000,
    ...options,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const hand = (value: ScriptedTask) => async () => ({ value, transfer: [] });
const double = (number: number) => hand({ kind: 'double', number });

test('tasks run beside the event loop, even more of them than threads', async () => {
  const pool = startPool();
  const outcomes = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => pool.run('A', double(number))),
  );
  expect(outcomes).toEqual([2, 4, 6, 8, 10].map((value) => ({ kind: 'done', value })));
});

test('a task that never ends is abandoned at its deadline together with its thread, and others continue', async () => {
  const pool = startPool({ deadlineMs: 700 });
  const hanging = pool.run('A', hand({ kind: 'hang' }));
  expect(await pool.run('A', double(1))).toEqual({ kind: 'done', value: 2 });
  expect(await hanging).toEqual({ kind: 'too_late' });
  const before = process.cpuUsage();
  await delay(500);
  const { user, system } = process.cpuUsage(before);
  // A thread that went on would have used 500 ms.
  expect((user + system) / 1000).toBeLessThan(250);
  expect(await pool.run('A', double(2))).toEqual({ kind: 'done', value: 4 });
});

test('a task that needs too much memory ends alone', async () => {
  const pool = startPool();
  expect(await pool.run('A', hand({ kind: 'hog' }))).toEqual({ kind: 'out_of_memory' });
  expect(await pool.run('A', double(1))).toEqual({ kind: 'done', value: 2 });
});

test('a task that throws or ends its thread rejects, and the next one does not', async () => {
  const pool = startPool({ threads: 1 });
  await expect(pool.run('A', hand({ kind: 'throw' }))).rejects.toThrow('scripted');
  await expect(pool.run('A', hand({ kind: 'exit' }))).rejects.toThrow('The thread has ended.');
  await expect(pool.run('A', () => Promise.reject(new Error('no input')))).rejects.toThrow(
    'no input',
  );
  expect(await pool.run('A', double(1))).toEqual({ kind: 'done', value: 2 });
});

test('a thread has no environment, which would contain secrets', async () => {
  expect(process.env['PATH']).toBeDefined();
  expect(await startPool().run('A', hand({ kind: 'environment' }))).toEqual({
    kind: 'done',
    value: {},
  });
});

test('a waiting task requests its input when a thread is free; too many, or too long a wait, are refused', async () => {
  const pool = startPool({ threads: 1, maxWaiting: 1, longestWaitMs: 300 });
  const hanging = pool.run('A', hand({ kind: 'hang' })).catch((error: unknown) => error);
  let asked = false;
  const waiting = pool.run('A', async () => {
    asked = true;
    return double(1)();
  });
  await expect(pool.run('A', double(2))).rejects.toThrow('All threads are at work.');
  await expect(waiting).rejects.toThrow('All threads are at work.');
  expect(asked).toBe(false);
  await pool.close();
  expect(await hanging).toBeInstanceOf(Error);
});

test('a thread without work is ended', async () => {
  const pool = startPool({ idleMs: 50 });
  await pool.run('A', double(1));
  await delay(300);
  expect(await pool.run('A', double(2))).toEqual({ kind: 'done', value: 4 });
});

test("a held thread is nobody else's until it is released, also after a task that ended it", async () => {
  const pool = startPool({ threads: 1 });
  const order: string[] = [];
  const held = await pool.hold('A');
  const other = pool.run('A', double(3)).then(() => order.push('other'));
  await expect(held.run(await hand({ kind: 'exit' })())).rejects.toThrow('The thread has ended.');
  expect(await held.run(await double(1)())).toEqual({ kind: 'done', value: 2 });
  order.push('held');
  held.release();
  await other;
  expect(order).toEqual(['held', 'other']);
});

test('holding waits no longer than a task does', async () => {
  const pool = startPool({ threads: 1, longestWaitMs: 100 });
  const held = await pool.hold('A');
  await expect(pool.hold('A')).rejects.toThrow('All threads are at work.');
  held.release();
  (await pool.hold('A')).release();
});
