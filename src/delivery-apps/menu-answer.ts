import type { OutboundResult } from '../platform/outbound/types';
import { bodyOf, toOutcome } from './http-outcome';
import type { ReadMenuOutcome } from './app-client';

/** A whole answer with a 2xx, not yet read. */
interface MenuAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly body: Buffer;
}

/** The answer to a question for the menu that an app shows. A refusal says nothing about the menu. */
export function menuAnswerOf(
  result: OutboundResult,
  token: string,
  reasons: (text: string) => readonly string[],
): MenuAnswer | Exclude<ReadMenuOutcome, { kind: 'read' | 'absent' }> {
  const outcome = toOutcome<{ readonly kind: 'answered'; readonly status: number }>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ status, truncated }) => (truncated ? undefined : { kind: 'answered', status }),
    reasons,
  });
  if (outcome.kind === 'rejected') return { kind: 'unknown', reason: outcome.reasons.join(' ') };
  return outcome.kind === 'answered' ? { ...outcome, body: bodyOf(result) } : outcome;
}
