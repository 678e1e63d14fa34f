import type { REVERT_STATES, ROLLOUT_STATES, TARGET_STATES } from '../../schemas/states';

export type RolloutState = (typeof ROLLOUT_STATES)[number];
export type TargetState = (typeof TARGET_STATES)[number];
export type RevertState = (typeof REVERT_STATES)[number];

export type TargetCounts = Readonly<Record<TargetState, number>>;
export type RevertCounts = Readonly<Record<RevertState, number>>;

/** Fills in 0 for states without a count. */
export function countsOf<State extends string>(
  states: readonly State[],
  found: readonly { readonly state: State; readonly count: number }[],
): Readonly<Record<State, number>> {
  const counts = new Map(found.map(({ state, count }) => [state, count]));
  // One entry for each of the states.
  return Object.fromEntries(states.map((state) => [state, counts.get(state) ?? 0])) as Record<
    State,
    number
  >;
}

/** The progress of a rollout as a line of text. */
export function describeCounts(counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return `${total} targets: ${parts.map(([state, count]) => `${count} ${state}`).join(', ')}.`;
}
