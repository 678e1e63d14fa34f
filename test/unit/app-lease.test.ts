import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { keepLease } from '../../activities/app-lease';
import { deferred } from '../support/deferred';

const [HELD_MS, EVERY_MS] = [1_000, 100];

/** Keeps a lease that was taken `agoMs` ago, with these renewals, during `work`. */
async function keep(
  renew: () => Promise<void>,
  work: (isHeld: () => boolean) => Promise<void>,
  agoMs = 0,
): Promise<void> {
  const sentAt = performance.now() - agoMs;
  const timing = { heldMs: HELD_MS, everyMs: EVERY_MS, sentAt };
  const lease = keepLease({ ...timing, renew, onFailure() {} });
  try {
    await work(lease.isHeld);
  } finally {
    lease.stop();
  }
}

test('a lease is held while its renewals are answered', async () => {
  await keep(
    async () => {},
    async (isHeld) => {
      await sleep(2 * HELD_MS);
      expect(isHeld()).toBe(true);
    },
  );
});

test('a lease whose renewals fail or are not answered has run out, counted from when it was asked for', async () => {
  const silent = deferred();
  for (const renew of [() => Promise.reject(new Error('away')), () => silent.promise]) {
    await keep(renew, async (isHeld) => {
      expect(isHeld()).toBe(true);
      await sleep(HELD_MS + 20);
      expect(isHeld()).toBe(false);
    });
  }
  await keep(
    async () => {},
    async (isHeld) => expect(isHeld()).toBe(false),
    HELD_MS + 1,
  );
});

test('a renewal that is answered after the lease had run out does not bring it back', async () => {
  const late = deferred();
  await keep(
    () => late.promise,
    async (isHeld) => {
      await sleep(HELD_MS + 20);
      late.resolve();
      await sleep(2 * EVERY_MS);
      expect(isHeld()).toBe(false);
    },
  );
});

test('no renewal is sent while an earlier one has no answer', async () => {
  let sent = 0;
  const silent = deferred();
  const renew = (): Promise<void> => {
    sent += 1;
    return silent.promise;
  };
  await keep(renew, () => sleep(6 * EVERY_MS));
  expect(sent).toBe(1);
});
