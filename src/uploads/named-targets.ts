import {
  findIntegrationRefusal,
  NO_INTEGRATION,
  type UsableIntegrationDeps,
} from './usable-integration';
import { parseRowId } from '../users/guards';

/** One integration of a request for several. */
export interface NamedTarget {
  /** Null: no integration has this name. */
  readonly integrationId: number | null;
  /** The integration as the caller named it. */
  readonly named: string;
  /** Why nothing can be sent there; null = it can. */
  readonly refusal: string | null;
}

/** Each of these integrations once, with the sentence that refuses it if nothing of the store can be sent there. */
export async function nameTargets(
  deps: UsableIntegrationDeps,
  storeId: number,
  integrationIds: readonly (string | number)[],
): Promise<NamedTarget[]> {
  const named = new Map<string | number, string>();
  for (const each of integrationIds) {
    const id = parseRowId(each) ?? String(each);
    if (!named.has(id)) named.set(id, String(each));
  }
  const targets: NamedTarget[] = [];
  for (const [id, name] of named) {
    const integrationId = typeof id === 'number' ? id : undefined;
    if (integrationId === undefined) {
      targets.push({ integrationId: null, named: name, refusal: NO_INTEGRATION });
      continue;
    }
    const refusal = (await findIntegrationRefusal(deps, storeId, integrationId, 1)) ?? null;
    targets.push({ integrationId, named: name, refusal });
  }
  return targets;
}
