import type { LineClaim } from '../src/availability/sql/calls';
import { type AppContext, type AppDeps, openApp } from './app-context';
import type { MenuActivityDeps } from './upload-attempt';

export type AvailabilityDeps = AppDeps &
  Pick<MenuActivityDeps, 'tokens' | 'freezes' | 'log' | 'reach'>;

/** A line with all that a step needs to call its app. */
export interface LineContext extends AppContext {
  readonly ref: LineClaim;
}

/** Loads the line's integration. Undefined: it was removed meanwhile; the next claim of the line waits for it. */
export async function openLine(
  deps: AvailabilityDeps,
  ref: LineClaim,
): Promise<LineContext | undefined> {
  const context = await openApp(deps, ref);
  return context && { ...context, ref };
}
