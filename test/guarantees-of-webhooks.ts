import type { Guarantee } from './guarantee';

/** The promises about signatures, receivers and ended rows of webhooks. */
export const WEBHOOK_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'Webhooks carry signatures that a receiver can verify, with both keys while one is replaced.',
    attack:
      'Published test vectors; another library verifies; secrets are rotated while deliveries go out.',
    proofs: [{ file: 'test/unit/signing.test.ts' }, { file: 'test/http/webhook-secrets.test.ts' }],
  },
  {
    promise:
      'Retention removes only what has expired: no waiting delivery, no menu in use, and nothing earlier than `RETENTION_DAYS` after its end.',
    attack:
      'Partitions with a row that is a day too young, half-dropped partitions, rows without a partition, a long-running reader; live menus and shared documents at the old end.',
    proofs: [
      { file: 'test/db/ended-deliveries.test.ts' },
      { file: 'test/db/delivery-retention.test.ts' },
      { file: 'test/db/retention.test.ts' },
    ],
  },
  {
    promise:
      'A delivery is in exactly one table, with all of its attempts, whatever ends it and sends it again.',
    attack: 'Two outcomes and two resends of each of sixty deliveries at the same moment.',
    proofs: [
      {
        file: 'test/db/ended-deliveries.test.ts',
        titles: ['is in exactly one table, whatever ends it and sends it again at the same moment'],
      },
    ],
  },
  {
    promise: 'The health of a webhook counts only answers of its current URL.',
    attack:
      'The URL is changed, and changed back, while requests to the earlier one are in flight.',
    proofs: [{ file: 'test/activities/consumer-health.test.ts' }],
  },
  {
    promise: 'Trouble of our own costs a delivery no attempt and a receiver no health.',
    attack:
      'A proxy that refuses us or is away, a process without descriptors, dead name servers, a secret without its key; and receivers that only look like it.',
    proofs: [
      { file: 'test/activities/consumer-own-faults.test.ts' },
      { file: 'test/unit/outbound/own-faults.test.ts' },
    ],
  },
];
