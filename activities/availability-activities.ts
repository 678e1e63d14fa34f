import { type AvailabilityClaim, claimAvailability } from '../src/availability/sql/claims';
import type { PublicationKey } from '../src/uploads/sql/publications';
import { appsToldAgain, appsWithoutYears, enabledApps } from '../src/delivery-apps/registry';
import type { AvailabilityDeps } from './availability-context';
import { createAvailabilityItemActivities } from './availability-items';
import { createStoreChangeActivities } from './availability-store';

/** All activities of `storeAvailability`. */
export function createAvailabilityActivities(deps: AvailabilityDeps) {
  const rules = {
    giveUpAfterMs: deps.settings.giveUpAfterMs,
    toldAgain: new Set(appsToldAgain()),
    daysHaveNoYear: new Set(appsWithoutYears()),
    enabled: new Set(enabledApps(deps.settings)),
  };
  return {
    /** Claims the queue, and decides what it does next. */
    claimAvailability: (key: PublicationKey): Promise<AvailabilityClaim> =>
      claimAvailability(deps.sql, key, rules),
    ...createAvailabilityItemActivities(deps),
    ...createStoreChangeActivities(deps),
  };
}

export type AvailabilityActivities = ReturnType<typeof createAvailabilityActivities>;
