import { describeReport, type DrainReport } from '../../src/domain/drain-report';

const NOW = Date.parse('2026-11-21T10:00:00.500Z');
const since = '2026-11-21T09:00:00.000Z';
const nothing = { attempts: 0, waiting: 0, waitingSince: null } as const;

test.each<[string, DrainReport]>([
  ['At work. No delivery waits.', { ...nothing, next: { kind: 'again' } }],
  ['Nothing to send. No delivery waits.', { ...nothing, next: { kind: 'idle' } }],
  [
    `The next try is due at 2026-11-21T10:00:30Z. 1 delivery waits, since ${since}.`,
    { attempts: 1, waiting: 1, waitingSince: since, next: { kind: 'due_later', ms: 30_000 } },
  ],
  [
    `Paused until 2026-11-21T10:01:00Z, after 11 failed attempts in a row. 12 deliveries wait, the oldest since ${since}.`,
    {
      attempts: 1,
      waiting: 12,
      waitingSince: since,
      next: { kind: 'paused', ms: 60_000, failures: 11 },
    },
  ],
  [
    `Disabled: the receiver answered 410. 1000 deliveries or more wait, the oldest since ${since}.`,
    {
      attempts: 1,
      waiting: 1_000,
      waitingSince: since,
      next: { kind: 'disabled', reason: 'gone' },
    },
  ],
  [
    'Disabled: five days without one success. No delivery waits.',
    { ...nothing, next: { kind: 'disabled', reason: 'failing' } },
  ],
  [
    'Disabled by its owner. No delivery waits.',
    { ...nothing, next: { kind: 'disabled', reason: 'manual' } },
  ],
])('a person reads: %s', (words, report) => {
  expect(describeReport(report, NOW)).toBe(words);
});
