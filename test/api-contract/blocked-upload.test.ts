import { startSystem, stopSystems, type SharedSystem } from '../support/system';

let system: SharedSystem;

beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

/** Longer than App B's 100 characters, shorter than our own 255. */
const LONG_NAME = 'x'.repeat(150);

test('a blocking loss has a message with the POS id, and for problem+json a place in the body', async () => {
  const shop = await system.openShop('app-b');
  const plain = await shop.upload(LONG_NAME);
  expect(plain.status).toBe(409);
  const [first, second, ...others] = plain.body.message;
  expect(first).toBe('Could not upload menu to delivery system.');
  expect(second).toMatch(/: I1$/);
  expect(others).toEqual([]);

  const problem = await shop.upload(LONG_NAME, { headers: { accept: 'application/problem+json' } });
  expect(problem.body).toMatchObject({
    status: 409,
    code: 'upload_failed',
    errors: [
      { code: 'upload_failed', pointer: '', detail: first },
      { code: 'text_too_long', pointer: '/items/0', external_id: 'I1', detail: second },
    ],
  });
  expect(await shop.shown()).toBeUndefined();
});
