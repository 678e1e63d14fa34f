import { type MortalServer, startMortalPostgres } from '../support/own-servers';
import type { Shop, SimulatedAppName } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';
import { testTemporalAddress } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { until } from '../support/until';

let postgres: MortalServer;
let system: System;
beforeAll(async () => {
  postgres = await startMortalPostgres();
  const servers = { databaseUrl: postgres.address, temporalAddress: testTemporalAddress() };
  system = await startSystem({ servers, env: { TEMPORAL_NAMESPACE: await takeNamespace() } });
});
afterAll(async () => {
  await stopSystems();
  await postgres.remove();
});

test.each(['stop', 'kill'] as const)(
  'when Postgres restarts (%s) while callers wait, every caller gets the true outcome',
  async (end) => {
    const shops = await Promise.all((['app-a', 'app-b', 'app-c'] as const).map(open));
    const answers = shops.map((shop) => shop.upload(1));
    for (const shop of shops) await until(async () => (await shop.requests('upload')).length !== 0);
    await postgres[end]();
    await postgres.start();
    for (const [index, shop] of shops.entries()) {
      const answer = await answers[index];
      expect([200, 202]).toContain(answer?.status);
      expect((await shop.ended(answer?.uploadId ?? '')).state).toBe('uploaded');
      expect(await shop.shown()).toBe('1');
    }
  },
);

test('without Postgres an upload is refused with a 503 that only says when to come back, and works again afterwards', async () => {
  const shop = await system.openShop('app-b');
  await postgres.kill();
  const refused = await shop.upload(1);
  expect(refused).toMatchObject({
    status: 503,
    uploadId: '',
    body: { message: ['Something went wrong.'], data: null },
  });
  await postgres.start();
  expect((await shop.upload(2)).status).toBe(200);
  expect(await shop.accepted()).toEqual(['2']);
});

async function open(app: SimulatedAppName): Promise<Shop> {
  const shop = await system.openShop(app);
  await shop.fault({ kind: 'slow', ms: 2_000 });
  return shop;
}
