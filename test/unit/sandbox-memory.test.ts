import { createMenuLog } from '../../dev/sandbox/menu-log';
import { createRequestLog } from '../../dev/sandbox/request-log';

const clock = () => 0;

test('every current menu keeps its payload, older ones as many as fit into 64 MB', () => {
  const menus = createMenuLog(clock);
  const megabyte = Buffer.alloc(1_048_576, 0x20);
  for (let n = 0; n < 100; n += 1) menus.keep('busy', Buffer.concat([megabyte]));
  menus.keep('quiet', Buffer.from('{}'));
  const kept = menus.list().filter(({ payload }) => payload !== null);
  expect(menus.list()).toHaveLength(101);
  expect(kept).toHaveLength(64 + 2);
  expect(menus.current('busy')?.payload).toHaveLength(1_048_576);
  expect(menus.list()[0]).toMatchObject({ payload: null, bytes: 1_048_576 });
  expect(new Set(menus.list().map(({ sha256 }) => sha256)).size).toBe(2);
});

test('the last 10,000 menus and requests are listed', () => {
  const menus = createMenuLog(clock);
  const requests = createRequestLog(clock);
  for (let n = 0; n < 10_050; n += 1) {
    menus.keep(`s${n}`, Buffer.from('{}'));
    requests.finish(requests.start(`r${n}`), 200);
  }
  expect(menus.list()).toHaveLength(10_000);
  expect(menus.list()[0]?.storeId).toBe('s50');
  expect(requests.list()).toHaveLength(10_000);
  expect(requests.list()[0]?.route).toBe('r50');
});

test('a request in progress has no end yet', () => {
  const requests = createRequestLog(clock);
  requests.start('upload');
  expect(requests.list()).toMatchObject([{ status: null, finished_at: null }]);
});
