import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

test.each(['app-a', 'app-b', 'app-c'] as const)(
  'a menu uploaded for %s is answered 200 and is what the app shows',
  async (app) => {
    const shop = await system.openShop(app);
    const answer = await shop.upload(1);
    expect(answer.body).toEqual({ message: 'Menu successfully uploaded.', data: null });
    expect(answer.status).toBe(200);
    expect(await shop.shown()).toBe('1');
    console.log(app, answer.ms, await shop.status(answer.uploadId));
  },
);
