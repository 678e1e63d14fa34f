import type { Sql } from '../../platform/db/client';
import { inBackground } from '../../platform/in-background';
import type { Log } from '../../platform/observe/log';
import type { OwnFaultKind } from '../../platform/outbound/own-faults';
import { writeOwnFault } from '../sql/own-fault';
import type { ConsumerTarget } from './subscription-consumer';

/** What the row of a subscription says of trouble of ours (`own_fault`), for whoever asks why its deliveries wait. */
export interface OwnFaultNote {
  /** What the row says by a claim. */
  follow(kind: OwnFaultKind | null): void;
  /** Has the row say so, in the background, and only if it says something else. */
  tell(kind: OwnFaultKind | null): void;
}

export function createOwnFaultNote(
  { sql, log }: { readonly sql: Sql; readonly log: Log },
  target: Pick<ConsumerTarget, 'subscriptionId' | 'shard' | 'epoch'>,
): OwnFaultNote {
  let written: OwnFaultKind | null = null;
  let wanted: OwnFaultKind | null = null;
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    try {
      while (wanted !== written) {
        const kind = wanted;
        await writeOwnFault(sql, target.subscriptionId, target, kind);
        written = kind;
      }
    } finally {
      wanted = written; // of a write that failed: it is told again with the next attempt
      isWriting = false;
    }
  }

  return {
    follow(kind) {
      if (!isWriting) wanted = written = kind;
    },
    tell(kind) {
      if (kind === wanted) return;
      wanted = kind;
      if (isWriting) return;
      inBackground(write(), (error) =>
        log.warn(
          { subscription_id: target.subscriptionId, err: error },
          'what a subscription waits for could not be written',
        ),
      );
    },
  };
}
