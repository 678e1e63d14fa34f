import type { Sql } from '../platform/db/client';
import type { Viewer } from '../users/sql/users';
import type { WrongInApps } from './pages/wrong-now';
import { nameRows } from './sql/names';
import {
  listAwayApps,
  listDriftedMenus,
  listItemsStillOnSale,
  listStoppedRollouts,
} from './sql/wrong-now';

/** What is wrong in the delivery apps, with the names of its stores and integrations. */
export async function readWrongInApps(sql: Sql, viewer: Viewer): Promise<WrongInApps> {
  const [away, stillOnSale, drifted, stopped] = await Promise.all([
    listAwayApps(sql, viewer),
    listItemsStillOnSale(sql, viewer),
    listDriftedMenus(sql, viewer),
    listStoppedRollouts(sql, viewer),
  ]);
  const named = [...stillOnSale, ...drifted].map(({ storeId, integrationId }) => ({
    store_id: storeId,
    integration_id: String(integrationId),
  }));
  return { away, stillOnSale, drifted, stopped, names: await nameRows(sql, viewer, named) };
}
