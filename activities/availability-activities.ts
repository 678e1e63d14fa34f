import { type AvailabilityClaim, claimAvailability } from '../src/availability/sql/claims';
import type { PublicationKey } from '../src/uploads/sql/publications';
import { appsToldAgain } from '../src/delivery-apps/registry';
import { availabilityKind } from '../src/availability/availability-kind';
import { restEntity } from '../src/platform/queue/rest-entity';
import type { AvailabilityDeps } from './availability-context';
import { createAvailabilityItemActivities } from './availability-items';
import { createAvailabilityPauseActivities } from './availability-pause';

/** All activities of `storeAvailability`. */
export function createAvailabilityActivities(deps: AvailabilityDeps) {
  const repeats = new Set(appsToldAgain());
  return {
    /** What the line has to do next. When there is nothing now, the entity has gone to rest; `again`: something came at that very moment. */
    async claimAvailability(
      key: PublicationKey,
    ): Promise<AvailabilityClaim | { readonly kind: 'again' }> {
      const claim = await claimAvailability(deps.sql, key, repeats);
      if (claim.kind === 'items' || claim.kind === 'pause') return claim;
      return (await restEntity(deps.sql, availabilityKind, key)) ? { kind: 'again' } : claim;
    },
    ...createAvailabilityItemActivities(deps),
    ...createAvailabilityPauseActivities(deps),
  };
}

export type AvailabilityActivities = ReturnType<typeof createAvailabilityActivities>;
