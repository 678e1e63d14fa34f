import { setTimeout as delay } from 'node:timers/promises';
import { createTurnsByKey } from '../../src/platform/turns-by-key';

const wanted = new AbortController().signal;

const turnsOf = (longestWaitMs = 60_000) =>
  createTurnsByKey<string>({ atOnce: 2, mostWaiting: 2, longestWaitMs });

test('a key has so many turns at once, others wait in their order, and one more gets none', async () => {
  const turns = turnsOf();
  const began: number[] = [];
  const enter = async (n: number) => {
    const end = await turns.enter('A', wanted);
    began.push(n);
    return end;
  };
  const [first, second, third, fourth] = [enter(1), enter(2), enter(3), enter(4)];
  expect(await turns.enter('A', wanted)).toBeUndefined();
  expect(await turns.enter('B', wanted)).toBeInstanceOf(Function);
  expect([began, turns.most()]).toEqual([[1, 2], 4]);
  const end = await first;
  end?.();
  end?.();
  await third;
  expect([began, turns.most()]).toEqual([[1, 2, 3], 3]);
  (await second)?.();
  (await third)?.();
  (await fourth)?.();
  expect([began, turns.most()]).toEqual([[1, 2, 3, 4], 1]);
});

test('who waits too long gets none, and the next turn is not lost to it', async () => {
  const turns = turnsOf(50);
  const [first] = [await turns.enter('A', wanted), await turns.enter('A', wanted)];
  expect(await turns.enter('A', wanted)).toBeUndefined();
  const next = turns.enter('A', wanted);
  first?.();
  await delay(100);
  expect(await next).toBeInstanceOf(Function);
});

test('who is not wanted any more leaves the queue, and the next one gets the turn at once', async () => {
  const turns = turnsOf();
  const [first] = [await turns.enter('A', wanted), await turns.enter('A', wanted)];
  const leaving = new AbortController();
  const [left, next] = [turns.enter('A', leaving.signal), turns.enter('A', wanted)];
  expect(turns.most()).toBe(4);
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(turns.most()).toBe(3);
  expect(await turns.enter('A', leaving.signal)).toBeUndefined();
  first?.();
  expect(await next).toBeInstanceOf(Function);
  expect(turns.most()).toBe(2);
});
