import { enabledApps, deliveryApps } from '../delivery-apps/registry';
import type { AppName } from '../delivery-apps/types';
import { type WaitingFor, whyChangeWaits } from '../contract/why-it-waits';
import type { Config } from '../platform/config/config';
import type { ChangeId } from '../platform/ids';
import type { WaitingDeps } from '../uploads/read-upload-waits';
import { findChangeWaits, findTokensBeingFetched } from './sql/change-wait-facts';

export interface WaitingChangeDeps extends WaitingDeps {
  readonly settings: Pick<Config, 'APP_D'>;
}

/** A change, or something whose latest change it is. */
interface Listed {
  readonly changeId: ChangeId | null;
  readonly state: string;
}

/** Why each of these waits that has not ended and waits. Ended ones cost nothing. */
export async function whyChangesWait(
  { sql, temporal, settings }: WaitingChangeDeps,
  changes: readonly Listed[],
): Promise<ReadonlyMap<ChangeId | null, WaitingFor>> {
  const open = changes.flatMap(({ changeId, state }) =>
    changeId !== null && (state === 'queued' || state === 'running') ? [changeId] : [],
  );
  if (open.length === 0) return new Map();
  const facts = await findChangeWaits(sql, open);
  const fetched = await findTokensBeingFetched(sql, facts);
  const surroundings = { isTemporalAway: !temporal.isReachable() };
  const enabled = new Set(enabledApps(settings));
  return new Map(
    facts.flatMap((each) => {
      const { changeId, app, storeId, integrationId } = each;
      const change = {
        ...each,
        isUsable: each.isUsable && enabled.has(app),
        nextCallAt: whenRateAllows(app, each.nextCallAt),
        isTokenBeingFetched: fetched.has(`${storeId}/${integrationId}`),
      };
      const waits = whyChangeWaits(change, surroundings);
      return waits ? [[changeId, waits] as const] : [];
    }),
  );
}

/** When the app's rate allows the next call: `nextCallAt` is when it would allow one without any burst. */
function whenRateAllows(name: AppName, nextCallAt: Date | null): Date | null {
  const rate = deliveryApps().find((app) => app.name === name)?.availability;
  if (!rate || nextCallAt === null || rate.spacingMs === 0) return null;
  return new Date(nextCallAt.getTime() - rate.spacingMs * (rate.burst - 1));
}
