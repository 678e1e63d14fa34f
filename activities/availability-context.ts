import type { QueueClaim } from '../src/availability/sql/calls';
import { type AppContext, type AppDeps, openApp } from './app-context';
import type { MenuActivityDeps } from './activity-deps';
import { describeStatus } from './app-verdict';

export type AvailabilityDeps = AppDeps &
  Pick<MenuActivityDeps, 'documents' | 'tokens' | 'freezes' | 'log' | 'atCheckpoint'>;

/** A claimed queue with all that a step needs to call its app. */
export interface QueueContext extends AppContext {
  readonly ref: QueueClaim;
}

/** How the app answered last, for people: Temporal keeps what an activity returns, so it has none of the app's text. */
export function describeLastAnswer({ listening }: Pick<QueueContext, 'listening'>): string {
  const answer = listening.lastAnswer([]);
  return answer ? describeStatus(answer) : 'not asked';
}

/** Loads the queue's integration. Undefined: it was removed meanwhile; the next claim of the queue waits for it. */
export async function openQueue(
  deps: AvailabilityDeps,
  ref: QueueClaim,
): Promise<QueueContext | undefined> {
  const context = await openApp(deps, ref);
  return context && { ...context, ref };
}
