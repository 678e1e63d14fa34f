import { type SharedSystem, startSystem, stopSystems } from '../support/system';

let system: SharedSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

test('a caller hears that the app takes no token of the integration', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'token_expired', mode: 'always' });
  const { status, body } = await shop.upload(1);
  expect([status, body.message]).toEqual([
    409,
    expect.arrayContaining(['The delivery system did not accept the token.']),
  ]);
});

test('a caller hears that the app took only a part of the menu', async () => {
  const shop = await system.openShop('app-c');
  await shop.fault({ kind: 'task_partial', ids: ['I2'] });
  const { status, body } = await shop.upload(1);
  expect([status, body.message]).toEqual([
    409,
    expect.arrayContaining(['The delivery system did not accept the whole menu.']),
  ]);
});
