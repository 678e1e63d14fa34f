import { setTimeout as delay } from 'node:timers/promises';
import { createTurnsByKey } from '../../src/platform/turns-by-key';

const wanted = new AbortController().signal;
const running = new AbortController().signal;

const turnsOf = (longestWaitMs = 60_000, stopping = running) =>
  createTurnsByKey<string>({ atOnce: 2, mostWaiting: 2, longestWaitMs }, stopping);

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

test('once the process stops nobody waits, but turns that are free are taken', async () => {
  const stop = new AbortController();
  const turns = turnsOf(60_000, stop.signal);
  await turns.enter('A', wanted);
  await turns.enter('A', wanted);
  const waiting = [turns.enter('A', wanted), turns.enter('A', wanted)];
  stop.abort();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(await turns.enter('A', wanted)).toBeUndefined();
  expect(await turns.enter('B', wanted)).toBeInstanceOf(Function);
});

test('where the turns of all keys are limited, they go key by key, and a key has so many at most', async () => {
  const ofAll = { atOnce: 3, mostWaiting: 4 };
  const options = { atOnce: 2, mostWaiting: 3, longestWaitMs: 60_000, ofAll };
  const turns = createTurnsByKey<string>(options, running);
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const enter = async (key: string, name: string) => {
    const end = await turns.enter(key, wanted);
    began.push(name);
    if (end) ends.push(end);
    return end;
  };
  const endOne = async () => {
    ends.shift()?.();
    await delay(1);
  };
  const entered = [enter('A', 'A1'), enter('A', 'A2'), enter('A', 'A3'), enter('A', 'A4')];
  entered.push(enter('B', 'B1'), enter('B', 'B2'), enter('C', 'C1'));
  await delay(1);
  // A may have no third one, though one is left.
  expect([began, turns.all(), turns.most()]).toEqual([['A1', 'A2', 'B1'], 7, 4]);
  expect(await turns.enter('C', wanted)).toBeUndefined();
  await endOne();
  expect(began.slice(3)).toEqual(['A3']);
  await endOne();
  expect(began.slice(4)).toEqual(['B2']);
  expect(await turns.enter('C', AbortSignal.abort())).toBeUndefined();
  for (let n = 0; n < 5; n += 1) await endOne();
  expect(began.slice(5)).toEqual(['C1', 'A4']);
  await Promise.all(entered);
  expect([turns.all(), turns.most()]).toEqual([0, 0]);
});
