import { once, setMaxListeners } from 'node:events';
import { withinMs } from '../../src/platform/within-ms';
import { collectGarbage } from '../support/collect-garbage';

/** Waits for the end of its signal. */
const untilEnded = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
};

test('a time limit comes although garbage is collected, on every Node', async () => {
  const parent = new AbortController();
  setMaxListeners(0, parent.signal);
  const late = setTimeout(() => parent.abort(new Error('the time limit was lost')), 5_000);
  const collecting = setInterval(collectGarbage, 20);
  const reasons = await Promise.all(
    Array.from({ length: 20 }, () => withinMs(200, untilEnded, parent.signal)),
  );
  clearInterval(collecting);
  clearTimeout(late);
  expect(reasons.map((reason) => (reason as Error).name)).toEqual(
    Array.from({ length: 20 }, () => 'TimeoutError'),
  );
});

test('the end of the parent comes first, with its reason', async () => {
  const parent = new AbortController();
  const ended = withinMs(60_000, untilEnded, parent.signal);
  const reason = new Error('over');
  parent.abort(reason);
  expect(await ended).toBe(reason);
  expect(await withinMs(60_000, untilEnded, parent.signal)).toBe(reason);
});

test('what is done in time leaves no timer behind, and its signal alone', async () => {
  const { signal } = new AbortController();
  let own: AbortSignal | undefined;
  const done = await withinMs(
    20,
    (given) => {
      own = given;
      return Promise.resolve('done');
    },
    signal,
  );
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect([done, own?.aborted]).toEqual(['done', false]);
});
