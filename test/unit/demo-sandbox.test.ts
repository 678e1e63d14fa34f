import { setTimeout as sleep } from 'node:timers/promises';
import { startDemoSandbox } from '../../dev/demo/demo-sandbox';
import { readLevels } from '../../dev/start/start-settings';
import type { PollOutcome } from '../../src/delivery-apps/app-client';
import { createAppCClient } from '../../src/delivery-apps/app-c/client';
import { generateSecret } from '../../src/platform/crypto/signing';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { group, item, transform, uses } from './app-c-menus';

const CLIENT = { clientId: 'demo', clientSecret: 'demo' };
const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
afterAll(() => http.close());

/** Groups within groups. */
const nested = transform({
  levels: 2,
  items: [
    item('I1', { data_modifier_groups: [uses('G1')] }),
    item('I2', { data_modifier_groups: [uses('G2')] }),
    item('I3'),
  ],
  modifier_groups: [group('G1', ['I2']), group('G2', ['I3'])],
});

test.each([
  [1, 'rejected'],
  [2, 'live'],
] as const)(
  'with APP_C_LEVELS %i the App C of npm start makes a menu of two levels %s',
  async (levels, kind) => {
    const secrets = { ...CLIENT, posSecret: generateSecret() };
    // Port 9 takes no callbacks.
    const config = { PORT: 9, APP_C_LEVELS: levels, APP_D_PRICE_UNIT: 'unit' } as const;
    const sandbox = await startDemoSandbox(0, secrets, config);
    try {
      const baseUrl = `${sandbox.url}/app-c`;
      const client = createAppCClient({ http, baseUrl, timeoutMs: 5_000 });
      const shop = { appStoreId: 'shop-1', store: {}, pushedAt: new Date() };
      const got = await client.fetchToken({ ...CLIENT, store: { app_shop_id: shop.appStoreId } });
      const token = got.kind === 'token' ? got.token : '';
      const payload = Buffer.from(JSON.stringify(nested.payload));
      const pushed = await client.pushMenu({ ...shop, token, payload });
      const taskId = pushed.kind === 'accepted' ? pushed.taskId : '';
      let polled: PollOutcome | undefined;
      do {
        await sleep(100);
        polled = await client.pollTask?.({ ...shop, token, taskId });
      } while (polled?.kind === 'running');
      expect(polled?.kind).toBe(kind);
    } finally {
      await sandbox.close();
    }
  },
);

test('npm run sandbox takes APP_C_LEVELS as the service does', () => {
  expect([{}, { APP_C_LEVELS: '' }, { APP_C_LEVELS: '6' }].map(readLevels)).toEqual([1, 1, 6]);
  for (const APP_C_LEVELS of ['0', '7', '1.5', 'two']) {
    expect(() => readLevels({ APP_C_LEVELS })).toThrow(/^APP_C_LEVELS must be/);
  }
});
