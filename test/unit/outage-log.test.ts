import { createLog } from '../../src/platform/observe/log';
import { createOutageLog } from '../../src/platform/observe/outage-log';

test('an outage is logged when it begins, once a minute while it lasts, and when it is over', () => {
  const lines: string[] = [];
  let now = 0;
  const outage = createOutageLog(
    createLog('info', { write: (line) => void lines.push(line) }),
    { begun: 'away', over: 'back' },
    () => now,
  );
  outage.over();
  for (let second = 0; second < 150; second += 1) {
    now = second * 1_000;
    outage.failed(new Error('refused'));
  }
  outage.over();
  outage.over();
  outage.failed();
  const told = lines.map((line) => JSON.parse(line));
  expect(told.map(({ level, msg, for_seconds: since }) => [level, msg, since])).toEqual([
    [40, 'away', 0],
    [40, 'away', 60],
    [40, 'away', 120],
    [30, 'back', 149],
    [40, 'away', 0],
  ]);
  expect(told[0].err.message).toBe('refused');
});
