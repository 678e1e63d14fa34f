import { setTimeout as delay } from 'node:timers/promises';
import type { Leave } from '../../src/platform/places';
import { createTurns, type TurnWait, type Turns } from '../../src/platform/turns';

const turnsOfKeys = (longestWaitMs = 60_000) =>
  createTurns<string>({ atOnce: { ofKey: 2 }, waiting: { ofKey: 2 }, longestWaitMs });

/** Notes who has begun, by name, and ends the turns in the order of their beginning. */
function watch<Key>(turns: Turns<Key>) {
  const began: string[] = [];
  const leaves: Leave[] = [];
  return {
    began,
    enter: async (key: Key, name: string, wait?: TurnWait): Promise<void> => {
      const leave = await turns.enter(key, wait);
      began.push(leave ? name : `not ${name}`);
      if (leave) leaves.push(leave);
    },
    endOne: async (): Promise<void> => {
      leaves.shift()?.();
      await delay(1);
    },
  };
}

test('a key has so many turns at once, others wait in their order, and one more gets none', async () => {
  const turns = turnsOfKeys();
  const { began, enter } = watch(turns);
  const [first, second] = [await turns.enter('A'), await turns.enter('A')];
  const waiting = [enter('A', '3'), enter('A', '4')];
  expect(await turns.enter('A')).toBeUndefined();
  expect(await turns.enter('B')).toBeInstanceOf(Function);
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([2, 2]);
  expect([turns.atOnce.limit, turns.waiting.limit]).toEqual([2, 2]);
  first?.();
  first?.();
  await waiting[0];
  expect([began, turns.atOnce.used(), turns.waiting.used()]).toEqual([['3'], 2, 1]);
  second?.();
  await waiting[1];
  expect([began, turns.atOnce.used(), turns.waiting.used()]).toEqual([['3', '4'], 2, 0]);
});

test('who waits too long gets none, and the next turn is not lost to it', async () => {
  const turns = turnsOfKeys(50);
  const [first] = [await turns.enter('A'), await turns.enter('A')];
  expect(await turns.enter('A')).toBeUndefined();
  expect(turns.waiting.used()).toBe(0);
  const next = turns.enter('A');
  first?.();
  await delay(100);
  expect(await next).toBeInstanceOf(Function);
  expect(turns.atOnce.used()).toBe(2);
});

test('who may wait as long as it takes, or asks for a time of its own, waits for it', async () => {
  const turns = createTurns({ atOnce: { ofAll: 1 } });
  const first = await turns.enter();
  const patient = turns.enter();
  expect(await turns.enter(undefined, { longestWaitMs: 20 })).toBeUndefined();
  expect(turns.waiting.used()).toBe(1);
  first?.();
  expect(await patient).toBeInstanceOf(Function);
  const hasty = createTurns({ atOnce: { ofAll: 1 }, longestWaitMs: 20 });
  const leave = await hasty.enter();
  const next = hasty.enter(undefined, { longestWaitMs: 0 });
  await delay(60);
  leave?.();
  expect(await next).toBeInstanceOf(Function);
});

test('who is not wanted any more leaves the queue, and the next one gets the turn at once', async () => {
  const turns = turnsOfKeys();
  const [first] = [await turns.enter('A'), await turns.enter('A')];
  const leaving = new AbortController();
  const unwanted = leaving.signal;
  const [left, next] = [turns.enter('A', { unwanted }), turns.enter('A')];
  expect(turns.waiting.used()).toBe(2);
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(turns.waiting.used()).toBe(1);
  // It would wait without an end.
  expect(await turns.enter('A', { unwanted })).toBeUndefined();
  expect(await turns.enter('B', { unwanted })).toBeInstanceOf(Function);
  first?.();
  expect(await next).toBeInstanceOf(Function);
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([2, 0]);
});

test('who waits can be refused, with an error or without; those who come later wait again', async () => {
  const turns = turnsOfKeys();
  const first = await turns.enter('A');
  await turns.enter('A');
  const waiting = [turns.enter('A'), turns.enter('A')];
  turns.refuse();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  const failing = turns.enter('A');
  turns.refuse(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([2, 0]);
  const later = turns.enter('A');
  first?.();
  expect(await later).toBeInstanceOf(Function);
});

test('without keys it is first come, first served', async () => {
  const turns = createTurns({ atOnce: { ofAll: 1 }, waiting: { ofAll: 3 } });
  const { began, enter, endOne } = watch(turns);
  const entered = ['1', '2', '3', '4', '5'].map((name) => enter(undefined, name));
  await delay(1);
  expect(began).toEqual(['1', 'not 5']);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all(entered);
  expect(began).toEqual(['1', 'not 5', '2', '3', '4']);
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([0, 0]);
});

test('where the turns of all keys are limited, they go key by key, and a key has so many at most', async () => {
  const turns = createTurns<string>({
    atOnce: { ofAll: 3, ofKey: 2 },
    waiting: { ofAll: 4, ofKey: 3 },
    longestWaitMs: 60_000,
  });
  const { began, enter, endOne } = watch(turns);
  const entered = [enter('A', 'A1'), enter('A', 'A2'), enter('A', 'A3'), enter('A', 'A4')];
  entered.push(enter('B', 'B1'), enter('B', 'B2'), enter('C', 'C1'));
  await delay(1);
  // A may have no third one, though one is left.
  expect(began).toEqual(['A1', 'A2', 'B1']);
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([3, 4]);
  expect(await turns.enter('C')).toBeUndefined();
  await endOne();
  expect(began.slice(3)).toEqual(['A3']);
  await endOne();
  // C has had no turn yet.
  expect(began.slice(4)).toEqual(['C1']);
  expect(await turns.enter('C', { unwanted: AbortSignal.abort() })).toBeUndefined();
  for (let n = 0; n < 5; n += 1) await endOne();
  expect(began.slice(5)).toEqual(['B2', 'A4']);
  await Promise.all(entered);
  expect([turns.atOnce.used(), turns.waiting.used()]).toEqual([0, 0]);
});

test('a key may have so many waiting at most, and leaves room for those of others', async () => {
  const turns = createTurns<string>({ atOnce: { ofAll: 1 }, waiting: { ofAll: 3, ofKey: 2 } });
  const { began, enter, endOne } = watch(turns);
  const entered = ['A1', 'A2', 'A3', 'A4', 'B1'].map((name) => enter(name.charAt(0), name));
  await delay(1);
  expect(began).toEqual(['A1', 'not A4']);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all(entered);
  expect(began.slice(2)).toEqual(['B1', 'A2', 'A3']);
});

test('however many of a key wait, another key waits for what is at work, and for none that has not begun', async () => {
  const turns = createTurns<string>({ atOnce: { ofAll: 1 } });
  const { began, enter, endOne } = watch(turns);
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

test('one key has three quarters of the turns, and one that is given back may serve two', async () => {
  const turns = createTurns<string>({ atOnce: { ofAll: 16, ofKey: 'three quarters' } });
  for (let n = 0; n < 11; n += 1) await turns.enter('A');
  const leave = await turns.enter('B');
  const { began, enter } = watch(turns);
  const entered = [enter('A', 'A12'), enter('B', 'B2')];
  await delay(1);
  expect(began).toEqual([]);
  // A may have one more, and the last quarter is for B again.
  leave?.();
  await Promise.all(entered);
  expect(began).toEqual(['A12', 'B2']);
  expect(await turns.enter('C')).toBeInstanceOf(Function);
});
