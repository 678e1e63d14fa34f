import { setTimeout as delay } from 'node:timers/promises';
import type { Release } from '../../src/platform/admission/permits';
import {
  createPermitQueue,
  type PermitWait,
  type PermitQueue,
} from '../../src/platform/admission/permit-queue';

const queueOfKeys = (longestWaitMs = 60_000) =>
  createPermitQueue<string>({ atOnce: { ofKey: 2 }, waiting: { ofKey: 2 }, longestWaitMs });

/** Notes who has begun, by name, and gives the permits back in the order of their beginning. */
function watch<Key>(queue: PermitQueue<Key>) {
  const began: string[] = [];
  const releases: Release[] = [];
  return {
    began,
    enter: async (key: Key, name: string, wait?: PermitWait): Promise<void> => {
      const release = await queue.take(key, wait);
      began.push(release ? name : `not ${name}`);
      if (release) releases.push(release);
    },
    endOne: async (): Promise<void> => {
      releases.shift()?.();
      await delay(1);
    },
  };
}

test('a key has so many permits at once, others wait in their order, and one more gets none', async () => {
  const queue = queueOfKeys();
  const { began, enter } = watch(queue);
  const [first, second] = [await queue.take('A'), await queue.take('A')];
  const waiting = [enter('A', '3'), enter('A', '4')];
  expect(await queue.take('A')).toBeUndefined();
  expect(await queue.take('B')).toBeInstanceOf(Function);
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([2, 2]);
  expect([queue.atOnce.limit, queue.waiting.limit]).toEqual([2, 2]);
  first?.();
  first?.();
  await waiting[0];
  expect([began, queue.atOnce.used(), queue.waiting.used()]).toEqual([['3'], 2, 1]);
  second?.();
  await waiting[1];
  expect([began, queue.atOnce.used(), queue.waiting.used()]).toEqual([['3', '4'], 2, 0]);
});

test('who waits too long gets none, and the next permit is not lost to it', async () => {
  const queue = queueOfKeys(50);
  const [first] = [await queue.take('A'), await queue.take('A')];
  expect(await queue.take('A')).toBeUndefined();
  expect(queue.waiting.used()).toBe(0);
  const next = queue.take('A');
  first?.();
  await delay(100);
  expect(await next).toBeInstanceOf(Function);
  expect(queue.atOnce.used()).toBe(2);
});

test('who may wait as long as it takes, or asks for a time of its own, waits for it', async () => {
  const queue = createPermitQueue({ atOnce: { ofAll: 1 } });
  const first = await queue.take();
  const patient = queue.take();
  expect(await queue.take(undefined, { longestWaitMs: 20 })).toBeUndefined();
  expect(queue.waiting.used()).toBe(1);
  first?.();
  expect(await patient).toBeInstanceOf(Function);
  const hasty = createPermitQueue({ atOnce: { ofAll: 1 }, longestWaitMs: 20 });
  const release = await hasty.take();
  const next = hasty.take(undefined, { longestWaitMs: 0 });
  await delay(60);
  release?.();
  expect(await next).toBeInstanceOf(Function);
});

test('who is not wanted any more leaves the queue, and the next one gets the permit at once', async () => {
  const queue = queueOfKeys();
  const [first] = [await queue.take('A'), await queue.take('A')];
  const leaving = new AbortController();
  const unwanted = leaving.signal;
  const [left, next] = [queue.take('A', { unwanted }), queue.take('A')];
  expect(queue.waiting.used()).toBe(2);
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(queue.waiting.used()).toBe(1);
  // It would wait without an end.
  expect(await queue.take('A', { unwanted })).toBeUndefined();
  expect(await queue.take('B', { unwanted })).toBeInstanceOf(Function);
  first?.();
  expect(await next).toBeInstanceOf(Function);
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([2, 0]);
});

test('who waits can be refused, with an error or without; those who come later wait again', async () => {
  const queue = queueOfKeys();
  const first = await queue.take('A');
  await queue.take('A');
  const waiting = [queue.take('A'), queue.take('A')];
  queue.refuse();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  const failing = queue.take('A');
  queue.refuse(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([2, 0]);
  const later = queue.take('A');
  first?.();
  expect(await later).toBeInstanceOf(Function);
});

test('without keys it is first come, first served', async () => {
  const queue = createPermitQueue({ atOnce: { ofAll: 1 }, waiting: { ofAll: 3 } });
  const { began, enter, endOne } = watch(queue);
  const entered = ['1', '2', '3', '4', '5'].map((name) => enter(undefined, name));
  await delay(1);
  expect(began).toEqual(['1', 'not 5']);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all(entered);
  expect(began).toEqual(['1', 'not 5', '2', '3', '4']);
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([0, 0]);
});

test('where the permits of all keys are limited, they go key by key, and a key has so many at most', async () => {
  const queue = createPermitQueue<string>({
    atOnce: { ofAll: 3, ofKey: 2 },
    waiting: { ofAll: 4, ofKey: 3 },
    longestWaitMs: 60_000,
  });
  const { began, enter, endOne } = watch(queue);
  const entered = [enter('A', 'A1'), enter('A', 'A2'), enter('A', 'A3'), enter('A', 'A4')];
  entered.push(enter('B', 'B1'), enter('B', 'B2'), enter('C', 'C1'));
  await delay(1);
  // A may have no third one, though one is left.
  expect(began).toEqual(['A1', 'A2', 'B1']);
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([3, 4]);
  expect(await queue.take('C')).toBeUndefined();
  await endOne();
  expect(began.slice(3)).toEqual(['A3']);
  await endOne();
  // C has had no permit yet.
  expect(began.slice(4)).toEqual(['C1']);
  expect(await queue.take('C', { unwanted: AbortSignal.abort() })).toBeUndefined();
  for (let n = 0; n < 5; n += 1) await endOne();
  expect(began.slice(5)).toEqual(['B2', 'A4']);
  await Promise.all(entered);
  expect([queue.atOnce.used(), queue.waiting.used()]).toEqual([0, 0]);
});

test('a key may have so many waiting at most, and leaves some for those of others', async () => {
  const queue = createPermitQueue<string>({
    atOnce: { ofAll: 1 },
    waiting: { ofAll: 3, ofKey: 2 },
  });
  const { began, enter, endOne } = watch(queue);
  const entered = ['A1', 'A2', 'A3', 'A4', 'B1'].map((name) => enter(name.charAt(0), name));
  await delay(1);
  expect(began).toEqual(['A1', 'not A4']);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all(entered);
  expect(began.slice(2)).toEqual(['B1', 'A2', 'A3']);
});

test('however many of a key wait, another key waits for what is at work, and for none that has not begun', async () => {
  const queue = createPermitQueue<string>({ atOnce: { ofAll: 1 } });
  const { began, enter, endOne } = watch(queue);
  const entered = [enter('O', 'O1'), ...['A1', 'A2', 'A3', 'A4'].map((name) => enter('A', name))];
  await delay(1);
  await endOne();
  // A1 is at work now, and O has been served; still it stands before A2.
  entered.push(enter('O', 'O2'), enter('P', 'P1'));
  await endOne();
  await endOne();
  expect(began).toEqual(['O1', 'A1', 'O2', 'P1']);
  entered.push(enter('O', 'O3'));
  await endOne();
  expect(began.at(-1)).toBe('A2');
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all(entered);
  expect(began.slice(5)).toEqual(['O3', 'A3', 'A4']);
});

test('one key has three quarters of the permits, and one that is given back may serve two', async () => {
  const queue = createPermitQueue<string>({ atOnce: { ofAll: 16, ofKey: 'three quarters' } });
  for (let n = 0; n < 11; n += 1) await queue.take('A');
  const release = await queue.take('B');
  const { began, enter } = watch(queue);
  const entered = [enter('A', 'A12'), enter('B', 'B2')];
  await delay(1);
  expect(began).toEqual([]);
  // A may have one more, and the last quarter is for B again.
  release?.();
  await Promise.all(entered);
  expect(began).toEqual(['A12', 'B2']);
  expect(await queue.take('C')).toBeInstanceOf(Function);
});
