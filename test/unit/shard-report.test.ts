import { describeShard, type ShardReport } from '../../src/webhooks/shard-report';

const NOW = Date.parse('2026-11-21T10:00:00.500Z');
const since = '2026-11-21T09:00:00.000Z';
const one = { deliveries: 1, hasMore: false, subscriptions: 1, paused: 0, disabled: 0, since };
const worker = '123@host';

test.each<[string, ShardReport]>([
  ['Nothing to send. No worker has it.', { worker: null, dueMs: null, holding: null }],
  ['Nothing to send. Worker 123@host has it.', { worker, dueMs: null, holding: null }],
  [
    `Sending what is due. 1 delivery waits for 1 subscription, the oldest since ${since}. Worker 123@host has it.`,
    { worker, dueMs: -20, holding: one },
  ],
  [
    `The next try is due at 2026-11-21T10:00:30Z. 1 delivery waits for 1 subscription, the oldest since ${since}. No worker has it.`,
    { worker: null, dueMs: 30_000, holding: one },
  ],
  [
    `The next try is due at 2026-11-21T10:01:00Z. 12 deliveries wait for 3 subscriptions (2 paused, 1 disabled), the oldest since ${since}. Worker 123@host has it.`,
    {
      worker,
      dueMs: 60_000,
      holding: { ...one, deliveries: 12, subscriptions: 3, paused: 2, disabled: 1 },
    },
  ],
  [
    `Nothing to send. 1000 or more deliveries wait for 1 subscription (1 disabled), the oldest since ${since}. Worker 123@host has it.`,
    { worker, dueMs: null, holding: { ...one, deliveries: 1_000, hasMore: true, disabled: 1 } },
  ],
])('a person reads: %s', (words, report) => {
  expect(describeShard(report, NOW)).toBe(words);
});
