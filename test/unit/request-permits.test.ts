import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { createRequestPermits } from '../../src/http/admission/request-permits';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { deferred } from '../support/deferred';
import { seriesOf } from '../support/series-of';

const BOUND = 'pages_of_a_user';
const BUSY = 'The service is busy.';
const GONE = 'The caller has gone.';

/** As much of a response as permits look at. */
class Caller extends EventEmitter {
  closed = false;

  leave(): void {
    this.closed = true;
    this.emit('close');
  }
}

/** Permits of which each key has one, and one more may wait. */
function start() {
  const registry = new Registry();
  const stop = new AbortController();
  const limits = { atOnce: { ofKey: 1 }, waiting: { ofKey: 1 }, longestWaitMs: 60_000 };
  const deps = { bounds: createBounds(registry), stopping: stop.signal };
  const permits = createRequestPermits<string>(BOUND, deps, limits);
  const take = (key: string, work: () => Promise<unknown>, caller = new Caller()) =>
    permits.run(key, work, caller as unknown as ServerResponse);
  return {
    stop: () => stop.abort(),
    permits,
    take,
    /** Has a permit until the returned function is called. */
    hold: (key: string): (() => void) => {
      const { promise, resolve } = deferred();
      void take(key, () => promise);
      return resolve;
    },
    used: () => seriesOf(registry, 'bound_used', BOUND),
    hits: () => seriesOf(registry, 'bound_hits_total', BOUND),
    limit: () => seriesOf(registry, 'bound_limit', BOUND),
  };
}

const answer = async () => 'answer';

test('a request does its work with a permit, which ends with it, and counts while it waits', async () => {
  const { take, hold, limit, used, hits } = start();
  const end = hold('A');
  const waiting = take('A', answer);
  expect([await limit(), await used(), await hits()]).toEqual([2, 2, 0]);
  await expect(take('A', answer)).rejects.toThrow(BUSY);
  expect(await take('B', answer)).toBe('answer');
  end();
  expect(await waiting).toBe('answer');
  await expect(take('A', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect([await used(), await hits()]).toEqual([0, 1]);
});

test('a caller who leaves gets no permit, and is no hit', async () => {
  const { take, hold, used, hits } = start();
  const end = hold('A');
  const caller = new Caller();
  const left = take('A', answer, caller);
  caller.leave();
  await expect(left).rejects.toThrow(GONE);
  await expect(take('A', answer, caller)).rejects.toThrow(GONE);
  await expect(take('B', answer, caller)).rejects.toThrow(GONE);
  expect(await used()).toBe(1);
  end();
  expect(await take('A', answer)).toBe('answer');
  expect([await used(), await hits()]).toEqual([0, 0]);
});

test('nothing listens to a caller who has got a permit', async () => {
  const { take } = start();
  const caller = new Caller();
  await take('A', async () => expect(caller.listenerCount('close')).toBe(0), caller);
});

test('once the process stops nobody waits, but permits that are free are taken', async () => {
  const { take, hold, stop, used, hits } = start();
  const end = hold('A');
  const waiting = take('A', answer);
  stop();
  await expect(waiting).rejects.toThrow(BUSY);
  await expect(take('A', answer)).rejects.toThrow(BUSY);
  expect(await take('B', answer)).toBe('answer');
  expect([await used(), await hits()]).toEqual([1, 2]);
  end();
});

test('work without a caller who could leave waits as well, until the process stops', async () => {
  const { permits, hold, stop, hits } = start();
  const endFirst = hold('A');
  const waiting = permits.run('A', answer);
  endFirst();
  expect(await waiting).toBe('answer');
  const endSecond = hold('A');
  const refused = permits.run('A', answer);
  stop();
  await expect(refused).rejects.toThrow(BUSY);
  await expect(permits.run('A', answer)).rejects.toThrow(BUSY);
  expect(await hits()).toBe(2);
  endSecond();
});
