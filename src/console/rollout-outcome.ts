import { type PlainWords, ROLLOUT_WORDS, TROUBLE_WORDS } from '../contract/plain-words';
import type { RolloutView } from '../rollouts/sql/rollouts';

/** What came of a rollout, for people: of how many of its stores its state is not true. */
export interface RolloutOutcome {
  /** `done, 3 of 200 failed`. */
  readonly state: string;
  readonly hasFailures: boolean;
  readonly words: PlainWords;
}

/** `done` alone is said only where every store has the menu, and `reverted` where every store has its old one. */
export function rolloutOutcome({
  state,
  counts,
  revert,
}: Pick<RolloutView, 'state' | 'counts' | 'revert'>): RolloutOutcome {
  const of: Readonly<Record<string, number>> = revert ?? counts;
  const failed = (of['failed'] ?? 0) + (of['refused'] ?? 0);
  if (failed === 0) return { state, hasFailures: false, words: ROLLOUT_WORDS[state] };
  const all = Object.values(of).reduce((sum, count) => sum + count, 0);
  return {
    state: `${state}, ${failed} of ${all} failed`,
    hasFailures: true,
    words: state === 'done' ? TROUBLE_WORDS.rollout_in_part : ROLLOUT_WORDS[state],
  };
}
