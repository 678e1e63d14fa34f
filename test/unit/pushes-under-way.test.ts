import { setTimeout as sleep } from 'node:timers/promises';
import { createPushesUnderWay } from '../../src/uploads/pushes-under-way';
import type { UploadId } from '../../src/platform/ids';
import { deferred } from '../support/deferred';

const { signal: NEVER } = new AbortController();

const failAgain = async () => Promise.reject(new Error('still away'));
const pauseLong = (signal: AbortSignal) => sleep(60_000, 'live', { signal });
const attempt = (attemptNo: number) => ({ uploadId: 'upl_1' as UploadId, attemptNo });

test('one push is under way for an attempt, whatever calls come for it, and each attempt has its own', async () => {
  const pushes = createPushesUnderWay<string>();
  const begun: number[] = [];
  const answered = deferred();
  const pushOf = (nth: number) => async () => {
    begun.push(nth);
    await answered.promise;
    return `report ${nth}`;
  };
  const reports = [
    pushes.report(attempt(1), pushOf(1), NEVER),
    pushes.reportPromptly(attempt(1), pushOf(2)),
    pushes.report(attempt(2), pushOf(3), NEVER),
  ];
  answered.resolve();
  expect(await Promise.all(reports)).toEqual(['report 1', 'report 1', 'report 3']);
  expect(begun).toEqual([1, 3]);
  // Nobody was promised its report, so the next call begins a push, which the row refuses.
  expect(await pushes.report(attempt(1), async () => 'report 4', NEVER)).toBe('report 4');
});

test('a push that takes longer than a moment goes on, and its report is kept for the next call', async () => {
  const pushes = createPushesUnderWay<string>({ promptMs: 10 });
  const answered = deferred();
  const push = async () => {
    await answered.promise;
    return 'live';
  };
  expect(await pushes.reportPromptly(attempt(1), push)).toBeUndefined();
  answered.resolve();
  await sleep(1);
  expect(await pushes.report(attempt(1), async () => 'pushed twice', NEVER)).toBe('live');
});

test('a push that failed is forgotten at once: the next call begins another, also after a prompt one', async () => {
  const pushes = createPushesUnderWay<string>({ promptMs: 10 });
  const failed = deferred();
  const push = async () => {
    await failed.promise;
    throw new Error('Postgres is away');
  };
  expect(await pushes.reportPromptly(attempt(1), push)).toBeUndefined();
  failed.resolve();
  await sleep(1);
  await expect(pushes.report(attempt(1), failAgain, NEVER)).rejects.toThrow('still away');
  await expect(pushes.reportPromptly(attempt(1), failAgain)).rejects.toThrow('still away');
  expect(await pushes.report(attempt(1), async () => 'live', NEVER)).toBe('live');
});

test('only so many calls wait for a moment; a further push is begun and not waited for', async () => {
  const pushes = createPushesUnderWay<string>({ promptMs: 60_000, mostPrompt: 2 });
  const answered = deferred();
  const push = async () => {
    await answered.promise;
    return 'live';
  };
  const waiting = [1, 2].map((nth) => pushes.reportPromptly(attempt(nth), push));
  expect(await pushes.reportPromptly(attempt(3), push)).toBeUndefined();
  answered.resolve();
  expect(await Promise.all(waiting)).toEqual(['live', 'live']);
  expect(await pushes.reportPromptly(attempt(4), push)).toBe('live');
});

test('a stop ends the pauses of pushes that nobody waits for, and waits for their end', async () => {
  const pushes = createPushesUnderWay<string>({ promptMs: 10 });
  let isEnded = false;
  const push = async (signal: AbortSignal) => {
    await sleep(60_000, undefined, { signal }).finally(() => (isEnded = true));
    return 'live';
  };
  expect(await pushes.reportPromptly(attempt(1), push)).toBeUndefined();
  await pushes.stop();
  expect(isEnded).toBe(true);
});

test('a call that is given up ends the pauses of its push, which another process may have by now', async () => {
  const pushes = createPushesUnderWay<string>();
  const call = new AbortController();
  const report = pushes.report(attempt(1), pauseLong, call.signal);
  call.abort();
  await expect(report).rejects.toThrow('aborted');
});
