import { randomUUID } from 'node:crypto';

/** `host:port` of the run's Temporal server. */
export function testTemporalAddress(): string {
  const address = process.env['TEST_TEMPORAL_ADDRESS'];
  if (!address)
    throw new Error('no test servers: run this file through `npm run test:only -- <path>`');
  return address;
}

/** A unique task queue name, because all files of a run share one server and one namespace. */
export function uniqueTaskQueue(name: string): string {
  return `${name}-${randomUUID()}`;
}
