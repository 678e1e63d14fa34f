import { setTimeout as delay } from 'node:timers/promises';
import { createTurnsByKey } from '../../src/platform/turns-by-key';

const turnsOf = (longestWaitMs = 60_000) =>
  createTurnsByKey<string>({ atOnce: 2, mostWaiting: 2, longestWaitMs });

test('a key has so many turns at once, others wait in their order, and one more gets none', async () => {
  const turns = turnsOf();
  const began: number[] = [];
  const enter = async (n: number) => {
    const end = await turns.enter('A');
    began.push(n);
    return end;
  };
  const [first, second, third, fourth] = [enter(1), enter(2), enter(3), enter(4)];
  expect(await turns.enter('A')).toBeUndefined();
  expect(await turns.enter('B')).toBeInstanceOf(Function);
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
  const [first] = [await turns.enter('A'), await turns.enter('A')];
  expect(await turns.enter('A')).toBeUndefined();
  const next = turns.enter('A');
  first?.();
  await delay(100);
  expect(await next).toBeInstanceOf(Function);
});
