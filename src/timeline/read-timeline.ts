import type { Sql } from '../platform/db/client';
import type { Viewer } from '../users/sql/users';
import type { StoreAccess } from '../users/sql/store-access';
import {
  listChangeFacts,
  listDeliveryFacts,
  listFindingFacts,
  listRolloutFacts,
  listUploadFacts,
} from './sql/timeline-facts';
import type { TimelineKey, TimelineKind } from './timeline';
import {
  titleOfChange,
  titleOfDelivery,
  titleOfFinding,
  titleOfRollout,
  titleOfUpload,
} from './titles';

/** One thing that happened to a store. */
export interface TimelineEntry {
  readonly key: TimelineKey;
  readonly title: string;
  readonly state: string;
  readonly by: { readonly user_id: string; readonly name: string } | null;
  /** The API's path of the thing; null: the viewer would not see it there. */
  readonly url: string | null;
}

type Facts = Omit<TimelineEntry, 'key'>;

/**
 * What happened at each of these keys, as the viewer may know it, by `kind` and `id`. One statement for each kind, however
 * many entries there are; what has gone meanwhile is missing.
 */
export async function readTimeline(
  sql: Sql,
  viewer: Viewer,
  { storeId, timeZone }: Pick<StoreAccess, 'storeId' | 'timeZone'>,
  keys: readonly TimelineKey[],
): Promise<TimelineEntry[]> {
  const byOf = (userId: string | null, name: string | null): Facts['by'] =>
    userId !== null && name !== null && (viewer.seesAll || userId === viewer.userId)
      ? { user_id: userId, name }
      : null;
  const of = async <Row extends { readonly id: string }>(
    kind: TimelineKind,
    read: (ids: string[], wanted: readonly TimelineKey[]) => Promise<Row[]>,
    render: (row: Row) => Facts,
  ): Promise<[string, Facts][]> => {
    const wanted = keys.filter((key) => key.kind === kind);
    if (wanted.length === 0) return [];
    const rows = await read(
      wanted.map(({ id }) => id),
      wanted,
    );
    return rows.map((row) => [`${kind} ${row.id}`, render(row)]);
  };
  const changes = (kind: 'availability' | 'pause') =>
    of(
      kind,
      (ids) => listChangeFacts(sql, ids),
      (row) => ({
        title: titleOfChange(row, timeZone),
        state: row.state,
        by: byOf(row.userId, row.userName),
        url: `/api/v1/menus/availability/changes/${row.id}`,
      }),
    );
  const facts = new Map(
    (
      await Promise.all([
        of(
          'upload',
          (ids) => listUploadFacts(sql, ids),
          (row) => ({
            title: titleOfUpload(row),
            state: row.state,
            by: byOf(row.userId, row.userName),
            url: `/api/v1/menus/uploads/${row.id}`,
          }),
        ),
        of(
          'rollout',
          (ids) => listRolloutFacts(sql, ids),
          (row) => ({
            title: titleOfRollout(row),
            state: row.state,
            by: byOf(row.userId, row.userName),
            // Who did not start it sees its uploads only.
            url:
              viewer.seesAll || row.userId === viewer.userId
                ? `/api/v1/menus/rollouts/${row.rolloutId}`
                : null,
          }),
        ),
        changes('availability'),
        changes('pause'),
        of(
          'drift',
          (ids) => listFindingFacts(sql, ids),
          (row) => ({
            title: titleOfFinding(row),
            state: row.state,
            by: null,
            url: `/api/v1/menus/live?store_id=${storeId}`,
          }),
        ),
        of(
          'delivery',
          (ids, wanted) => {
            const times = wanted.map(({ atUs }) => atUs);
            return listDeliveryFacts(sql, ids, {
              from: Math.min(...times),
              to: Math.max(...times),
            });
          },
          (row) => ({
            title: titleOfDelivery(row, viewer.seesAll || row.systemOwner === viewer.userId),
            state: row.state,
            by: byOf(row.userId, row.userName),
            url: `/api/v1/webhooks/deliveries/${row.id}`,
          }),
        ),
      ])
    ).flat(),
  );
  return keys.flatMap((key) => {
    const found = facts.get(`${key.kind} ${key.id}`);
    return found ? [{ key, ...found }] : [];
  });
}
