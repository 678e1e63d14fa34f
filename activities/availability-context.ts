import type { LineClaim } from '../src/availability/sql/calls';
import { type AppContext, type AppDeps, openApp } from './app-context';
import type { MenuActivityDeps } from './activity-deps';
import { describeStatus } from './app-verdict';

export type AvailabilityDeps = AppDeps &
  Pick<MenuActivityDeps, 'documents' | 'tokens' | 'freezes' | 'log' | 'atCheckpoint'>;

/** A line with all that a step needs to call its app. */
export interface LineContext extends AppContext {
  readonly ref: LineClaim;
}

/** How the app answered last, for people: Temporal keeps what an activity returns, so it has none of the app's text. */
export function describeLastAnswer({ listening }: Pick<LineContext, 'listening'>): string {
  const answer = listening.lastAnswer([]);
  return answer ? describeStatus(answer) : 'not asked';
}

/** Loads the line's integration. Undefined: it was removed meanwhile; the next claim of the line waits for it. */
export async function openLine(
  deps: AvailabilityDeps,
  ref: LineClaim,
): Promise<LineContext | undefined> {
  const context = await openApp(deps, ref);
  return context && { ...context, ref };
}
