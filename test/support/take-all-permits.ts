import { randomUUID } from 'node:crypto';
import type { TestApi } from './api';
import { untilUsed } from './bounds';
import { deferred } from './deferred';
import { createLinkedStore, type LinkedStore, sendEvent, STOCK_EVENT } from './inventory';

/**
 * Takes all permits of an API with `WORKING_REQUESTS` of 2, by two events whose rows cannot be written, one of another
 * user, until the returned function is called; it gives their answers.
 */
export async function takeAllPermits(api: TestApi, linked: LinkedStore) {
  const second = await createLinkedStore(api, `Second ${randomUUID()}`);
  const free = deferred();
  const locked = deferred();
  const locking = api.sql.begin(async (tx) => {
    await tx`lock table delivery in exclusive mode`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  const working = [linked, second].map((each) => sendEvent(each, 'stock', STOCK_EVENT));
  await untilUsed(api, 'working_requests', 2);
  return async () => {
    free.resolve();
    await locking;
    return Promise.all(working);
  };
}
