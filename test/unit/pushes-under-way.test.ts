import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import {
  createPushesUnderWay,
  type PushesUnderWayOptions,
} from '../../src/uploads/pushes-under-way';
import type { UploadId } from '../../src/platform/ids';
import { deferred } from '../support/deferred';
import { until } from '../support/until';

const { signal: NEVER } = new AbortController();
const lost: unknown[] = [];
const pushesUnderWay = (options: Partial<PushesUnderWayOptions> = {}) =>
  createPushesUnderWay<string>({
    bounds: createBounds(new Registry()),
    onLost: (_, error) => void lost.push(error),
    ...options,
  });
afterEach(() => void lost.splice(0));

const failAgain = async () => Promise.reject(new Error('still away'));
const attempt = (attemptNo: number) => ({ uploadId: 'upl_1' as UploadId, attemptNo });

test('one push is under way for an attempt, whatever calls come for it, and each attempt has its own', async () => {
  const pushes = pushesUnderWay();
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
  const pushes = pushesUnderWay({ promptMs: 10 });
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
  const pushes = pushesUnderWay({ promptMs: 10 });
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
  const pushes = pushesUnderWay({ promptMs: 60_000, mostPrompt: 2 });
  const answered = deferred();
  const push = async () => {
    await answered.promise;
    return 'live';
  };
  const waiting = [1, 2].map((nth) => pushes.reportPromptly(attempt(nth), push, `app ${nth}`));
  expect(await pushes.reportPromptly(attempt(3), push)).toBeUndefined();
  answered.resolve();
  expect(await Promise.all(waiting)).toEqual(['live', 'live']);
  expect(await pushes.reportPromptly(attempt(4), push)).toBe('live');
});

test('the end of a process ends the pauses of pushes that nobody waits for, and waits for their end', async () => {
  const pushes = pushesUnderWay({ promptMs: 10 });
  let isEnded = false;
  const push = async (signal: AbortSignal) => {
    await sleep(60_000, undefined, { signal }).finally(() => (isEnded = true));
    return 'live';
  };
  expect(await pushes.reportPromptly(attempt(1), push)).toBeUndefined();
  await pushes.ended();
  expect(isEnded).toBe(true);
});

test('a push whose calls are all given up pauses no more, because another process may have it by now', async () => {
  const pushes = pushesUnderWay();
  const [first, second] = [new AbortController(), new AbortController()];
  let isAbandoned = false;
  const push = (abandoned: AbortSignal) =>
    sleep(60_000, 'live', { signal: abandoned }).finally(() => (isAbandoned = true));
  const reports = [first, second].map(({ signal }) => pushes.report(attempt(1), push, signal));
  const failed = Promise.all(reports.map((report) => expect(report).rejects.toThrow('aborted')));
  first.abort();
  await sleep(1);
  expect(isAbandoned).toBe(false);
  second.abort();
  await failed;
});

test('a process that stops begins a push without waiting for it', async () => {
  const pushes = pushesUnderWay({ promptMs: 60_000 });
  const answered = deferred();
  pushes.stop();
  const push = async () => {
    await answered.promise;
    return 'live';
  };
  expect(await pushes.reportPromptly(attempt(1), push)).toBeUndefined();
  expect(pushes.has(attempt(1))).toBe(true);
  answered.resolve();
  await pushes.ended();
});

test('a failure is reported to the call that waits, and only without one to the log', async () => {
  const pushes = pushesUnderWay({ promptMs: 10 });
  await expect(pushes.reportPromptly(attempt(1), failAgain)).rejects.toThrow('still away');
  await expect(pushes.report(attempt(1), failAgain, NEVER)).rejects.toThrow('still away');
  expect(lost).toEqual([]);
  const failed = deferred();
  const push = () => failed.promise.then(failAgain);
  expect(await pushes.reportPromptly(attempt(2), push)).toBeUndefined();
  failed.resolve();
  await until(() => !pushes.has(attempt(2)));
  expect(lost).toEqual([new Error('still away')]);
});

test('the report of a slow push is kept for a while, not for ever', async () => {
  const pushes = pushesUnderWay({ promptMs: 10, keptMs: 20 });
  expect(await pushes.reportPromptly(attempt(1), () => sleep(30, 'live'))).toBeUndefined();
  await pushes.ended();
  expect(pushes.has(attempt(1))).toBe(true);
  await until(() => !pushes.has(attempt(1)));
});
