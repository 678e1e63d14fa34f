import { type MortalServer, startMortalTemporal } from '../support/own-servers';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

let temporal: MortalServer;
let database: TestDatabase;
let system: System;
beforeAll(async () => {
  [temporal, database] = await Promise.all([startMortalTemporal(), createTestDatabase()]);
  const servers = { databaseUrl: database.url, temporalAddress: temporal.address };
  system = await startSystem({ servers });
});
afterAll(async () => {
  await stopSystems();
  await Promise.all([temporal.remove(), database.drop()]);
});

test('when Temporal is killed during a push and started again, the upload ends, pushed once', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 3_000 });
  const answer = shop.upload(1);
  await until(async () => (await shop.requests('upload')).length !== 0);
  await temporal.kill();
  await temporal.start();
  const { uploadId, status } = await answer;
  expect([200, 202]).toContain(status);
  expect((await shop.ended(uploadId)).state).toBe('uploaded');
  expect(await shop.shown()).toBe('1');
});

test('without Temporal uploads are accepted at once, and end within a minute of its return', async () => {
  const shop = await system.openShop('app-b');
  await temporal.stop();
  const first = await shop.upload(1);
  expect(first.status).toBe(202);
  expect(first.ms).toBeLessThan(3_000);
  const second = await shop.upload(2);
  expect(second.status).toBe(202);
  expect(second.ms).toBeLessThan(3_000);

  await temporal.start();
  const startedAt = Date.now();
  expect((await shop.ended(second.uploadId)).state).toBe('uploaded');
  expect(Date.now() - startedAt).toBeLessThan(60_000);
  expect((await shop.ended(first.uploadId)).state).toBe('superseded');
  expect(await shop.accepted()).toEqual(['2']);
});

test('a caller who waits when Temporal goes away is answered 202 within seconds', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'slow', ms: 15_000 });
  const answer = shop.upload(1);
  await until(async () => (await shop.requests('upload')).length !== 0);
  await temporal.kill();
  const { status, ms, uploadId } = await answer;
  expect(status).toBe(202);
  expect(ms).toBeLessThan(8_000);
  await temporal.start();
  expect((await shop.ended(uploadId)).state).toBe('uploaded');
});
