import { createRowWaiters, waitForRow } from '../../src/platform/queue/row-waiters';

const soon = () => Date.now() + 5_000;
const nothing = async () => undefined;

test('a caller is woken by the end of its own row only', async () => {
  const waiters = createRowWaiters();
  const mine = waiters.register('a');
  waiters.announce('b');
  const woken = mine.next(Date.now() + 30);
  expect(await woken).toBe('deadline');
  waiters.announce('b');
  waiters.announce('a');
  expect(await mine.next(soon())).toBe('look');
});

test('an end that is announced before the caller listens is not missed', async () => {
  const waiters = createRowWaiters();
  const waiter = waiters.register('a');
  waiters.announce('a');
  expect(await waiter.next(soon())).toBe('look');
});

test('the words of an announcement reach its waiting callers, until a later announcement without words', async () => {
  const waiters = createRowWaiters();
  const waiter = waiters.register('a');
  expect(waiter.notice()).toBeNull();
  waiters.announce('a', '204');
  expect(await waiter.next(soon())).toBe('look');
  expect(waiter.notice()).toBe('204');
  waiters.announce('a');
  expect(waiter.notice()).toBeNull();
});

test('all callers of a row are woken', async () => {
  const waiters = createRowWaiters();
  const both = [waiters.register('a'), waiters.register('a')].map((each) => each.next(soon()));
  waiters.announce('a');
  expect(await Promise.all(both)).toEqual(['look', 'look']);
});

test('a cancelled wait is final: a later announcement does not hide it', async () => {
  const waiters = createRowWaiters();
  const waiter = waiters.register('a');
  waiters.releaseAll();
  waiters.announce('a');
  expect(await waiter.next(soon())).toBe('released');
});

test('the wait of a single caller can be cancelled', async () => {
  const waiters = createRowWaiters();
  const [mine, other] = [waiters.register('a'), waiters.register('a')];
  mine.release();
  expect(await mine.next(soon())).toBe('released');
  expect(await other.next(Date.now() + 20)).toBe('deadline');
});

test('after the close no caller waits, not even a later one', async () => {
  const waiters = createRowWaiters();
  const early = waiters.register('a').next(soon());
  waiters.close();
  expect(await early).toBe('released');
  expect(await waiters.register('b').next(soon())).toBe('released');
});

test('a caller that has left takes no memory', () => {
  const waiters = createRowWaiters();
  const [one, two] = [waiters.register('a'), waiters.register('a')];
  one.close();
  expect(waiters.size).toBe(1);
  two.close();
  expect(waiters.size).toBe(0);
});

describe('waiting for a row', () => {
  test('continues until the row has ended, however often it is told to look', async () => {
    const waiters = createRowWaiters();
    const waiter = waiters.register('a');
    let looks = 0;
    const found = waitForRow(waiter, soon(), async () => {
      looks += 1;
      if (looks < 3) setImmediate(() => waiters.announce('a'));
      return looks < 3 ? undefined : 'ended';
    });
    waiters.announce('a');
    expect(await found).toBe('ended');
  });

  test('reads once more at the deadline, in case the announcement was lost', async () => {
    const waiter = createRowWaiters().register('a');
    expect(await waitForRow(waiter, Date.now() + 10, async () => 'ended')).toBe('ended');
  });

  test('ends without a result at the deadline and when it is cancelled', async () => {
    const waiters = createRowWaiters();
    expect(await waitForRow(waiters.register('a'), Date.now(), nothing)).toBeUndefined();
    const released = waitForRow(waiters.register('a'), soon(), nothing);
    waiters.releaseAll();
    expect(await released).toBeUndefined();
  });

  test('survives a failed read: the database may be back before the deadline', async () => {
    const waiters = createRowWaiters();
    const waiter = waiters.register('a');
    let looks = 0;
    const found = waitForRow(waiter, soon(), async () => {
      looks += 1;
      if (looks > 1) return 'ended';
      setImmediate(() => waiters.announceAll());
      throw new Error('connection closed');
    });
    waiters.announce('a');
    expect(await found).toBe('ended');
  });
});
