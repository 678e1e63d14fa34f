import { loadConfig } from '../../src/platform/config/config';
import { availabilityOf } from '../support/availability-calls';
import { readHistories } from '../support/read-everything';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({ timing: { slowRetryMs: [300] } });
});
afterAll(stopSystems);

/** What a scripted answer of the simulated apps says. */
const SAID = 'scripted';

test.each(['app-a', 'app-b'] as const)(
  'Temporal keeps with which status %s answered a call about items or a pause, and nothing that it said',
  async (app) => {
    const shop = await system.openShop(app);
    await shop.upload(1);
    const calls = availabilityOf(system, shop);
    for (const route of ['availability', 'pause']) {
      await shop.fault({ kind: 'status', status: 503, route, times: 3 });
      await shop.fault({ kind: 'status', status: 418, route });
    }
    const switched = await calls.switch([{ external_id: 'I1', available: false }]);
    expect(switched.changes).toMatchObject([{ messages: [`The item I1 was refused: ${SAID}`] }]);
    expect((await calls.pause()).changes).toMatchObject([{ messages: [SAID] }]);
    const histories = await readHistories(loadConfig(system.env));
    const kept = ['status 503, tried again later', 'refused, status 418', SAID];
    expect(kept.filter((text) => histories.includes(text))).toEqual(kept.slice(0, -1));
  },
);
