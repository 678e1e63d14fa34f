import { describeReport, type LineReport } from '../../src/webhooks/lines/line-report';

const NOW = Date.parse('2026-11-21T10:00:00.500Z');
const since = '2026-11-21T09:00:00.000Z';
const one = { deliveries: 1, hasMore: false, subscriptions: 1, paused: 0, disabled: 0, since };

test.each<[string, LineReport]>([
  ['At work.', { next: { kind: 'again' }, attempts: 3, holding: null }],
  ['Nothing to send.', { next: { kind: 'idle' }, attempts: 3, holding: null }],
  [
    `The next try is due at 2026-11-21T10:00:30Z. 1 delivery waits for 1 subscription, the oldest since ${since}.`,
    { next: { kind: 'due_later', ms: 30_000 }, attempts: 1, holding: one },
  ],
  [
    `The next try is due at 2026-11-21T10:01:00Z. 12 deliveries wait for 3 subscriptions (2 paused, 1 disabled), the oldest since ${since}.`,
    {
      next: { kind: 'due_later', ms: 60_000 },
      attempts: 1,
      holding: { deliveries: 12, hasMore: false, subscriptions: 3, paused: 2, disabled: 1, since },
    },
  ],
  [
    `Nothing to send. 1000 or more deliveries wait for 1 subscription (1 disabled), the oldest since ${since}.`,
    {
      next: { kind: 'idle' },
      attempts: 0,
      holding: {
        deliveries: 1_000,
        hasMore: true,
        subscriptions: 1,
        paused: 0,
        disabled: 1,
        since,
      },
    },
  ],
  [
    `Nothing to send. 1200 deliveries wait for 3 subscriptions (3 disabled), the oldest since ${since}.`,
    {
      next: { kind: 'idle' },
      attempts: 0,
      holding: {
        deliveries: 1_200,
        hasMore: false,
        subscriptions: 3,
        paused: 0,
        disabled: 3,
        since,
      },
    },
  ],
])('a person reads: %s', (words, report) => {
  expect(describeReport(report, NOW)).toBe(words);
});
