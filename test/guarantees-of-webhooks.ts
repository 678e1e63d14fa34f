import type { Guarantee } from './guarantee';

/** What is promised of webhooks' signatures, and of rows that have ended. */
export const WEBHOOK_GUARANTEES: readonly Guarantee[] = [
  {
    promise:
      'Webhooks carry signatures that a receiver can verify, of two keys while one is replaced.',
    attack:
      'Published test vectors; another library verifies; secrets are rotated while deliveries go out.',
    proofs: [{ file: 'test/unit/signing.test.ts' }, { file: 'test/http/webhook-secrets.test.ts' }],
  },
  {
    promise:
      'Retention removes what has had its time and nothing else: no delivery that waits, no menu that is in use, and no earlier than `RETENTION_DAYS` after the end.',
    attack:
      'Partitions with a row that is a day too young, partitions dropped by half, rows without a partition, a reader that holds them for long; an upgrade with rows in every state; live menus and shared documents at the old end.',
    proofs: [
      { file: 'test/db/ended-deliveries.test.ts' },
      { file: 'test/db/ended-upgrade.test.ts' },
      { file: 'test/db/delivery-retention.test.ts' },
      { file: 'test/db/retention.test.ts' },
    ],
  },
  {
    promise:
      'A delivery is in one place, with all of its attempts, whatever ends it and sends it again.',
    attack: 'Two outcomes and two resends of each of sixty deliveries at the same moment.',
    proofs: [
      {
        file: 'test/db/ended-deliveries.test.ts',
        titles: ['is in exactly one table, whatever ends it and sends it again at the same moment'],
      },
    ],
  },
];
