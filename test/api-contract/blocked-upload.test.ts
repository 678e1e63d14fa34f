import { startSystem, stopSystems, type SharedSystem } from '../support/system';

let system: SharedSystem;

beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

test('a blocking loss has a message with the POS id, and for problem+json a place in the body', async () => {
  const shop = await system.openShop('app-b', { country: 'CL' });
  const plain = await shop.upload(1, { price: '3990' });
  expect(plain.status).toBe(409);
  const [first, second, ...others] = plain.body.message;
  expect(first).toBe('Could not upload menu to delivery system.');
  expect(second).toMatch(/: I1$/);
  expect(others).toEqual([]);

  const headers = { accept: 'application/problem+json' };
  const problem = await shop.upload(1, { price: '3990', headers });
  expect(problem.body).toMatchObject({
    status: 409,
    code: 'upload_failed',
    errors: [
      { code: 'upload_failed', pointer: '', detail: first },
      { code: 'price_not_representable', pointer: '/items/0', external_id: 'I1', detail: second },
    ],
  });
  expect(await shop.shown()).toBeUndefined();
});
