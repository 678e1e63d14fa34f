import { listUnavailableItem } from '../availability/sql/views';
import { nameRows } from '../console/sql/names';
import { findInventorySystem, searchSystems } from '../inventory/sql/inventory-systems';
import { namedSystemId } from '../inventory/guards';
import { wordsOf } from '../platform/db/name-search';
import { isId } from '../platform/ids';
import { trimBlanks } from '../platform/text/blank';
import type { Sql } from '../platform/db/client';
import { findRollout, listRolloutsOfRequest, type RolloutView } from '../rollouts/sql/rollouts';
import { searchStores } from '../stores/sql/store-search';
import { listUploads } from '../uploads/sql/upload-lists';
import { findUpload, type UploadSummary } from '../uploads/sql/upload-views';
import { parseRowId } from '../users/guards';
import type { Viewer } from '../users/sql/users';
import { namedDeliveryId } from '../webhooks/delivery-ids';
import { listDeliveries } from '../webhooks/sql/delivery-lists';
import { type DeliveryView, findDelivery } from '../webhooks/sql/delivery-views';

/** Something that a search has found. */
export interface Found {
  readonly kind: 'store' | 'upload' | 'delivery' | 'rollout' | 'inventory_system' | 'item';
  readonly id: string;
  /** What it is called, for people. */
  readonly title: string;
  /** Null for what has no states. */
  readonly state: string | null;
  /** The path in the API where it is. */
  readonly url: string;
}

/** The most that a search answers. */
export const MOST_FOUND = 20;

/**
 * What the viewer may see that `text` names: what has this id, what a request with this id made, stores by their id, what
 * apps call them and their name, inventory systems by their name, and items off sale by their external id. The closest
 * come first: at most `MOST_FOUND`.
 */
export async function find(sql: Sql, viewer: Viewer, text: string): Promise<readonly Found[]> {
  const name = trimBlanks(text);
  if (name === '') return [];
  const [called, stores, systems, items] = await Promise.all([
    Promise.all([
      // Before its uploads, which may be hundreds.
      findRollouts(sql, viewer, name),
      findUploads(sql, viewer, name),
      findDeliveries(sql, viewer, name),
    ]),
    findStores(sql, viewer, name),
    findSystems(sql, viewer, name),
    findItems(sql, viewer, name),
  ]);
  // The id of a store means that store, and no system that has the number somewhere in its name.
  const isStoreId = stores.some(({ id }) => id === String(parseRowId(name)));
  return [...called.flat(), ...stores, ...(isStoreId ? [] : systems), ...items].slice(
    0,
    MOST_FOUND,
  );
}

/** By their own id, or else that of their request. */
async function findUploads(sql: Sql, viewer: Viewer, id: string): Promise<Found[]> {
  const uploads: readonly UploadSummary[] = isId('upl', id)
    ? [await findUpload(sql, viewer, id)].filter((each) => each !== undefined)
    : (await listUploads(sql, viewer, { requestId: id, limit: MOST_FOUND })).rows;
  const titleOf = await placeNames(sql, viewer, uploads);
  return uploads.map((upload) => ({
    kind: 'upload',
    id: upload.uploadId,
    title: titleOf(upload),
    state: upload.state,
    url: `/api/v1/menus/uploads/${upload.uploadId}`,
  }));
}

/** The same; messages and events. */
async function findDeliveries(sql: Sql, viewer: Viewer, id: string): Promise<Found[]> {
  const named = namedDeliveryId(id);
  const deliveries = named
    ? [await findDelivery(sql, viewer, named)].filter((each) => each !== undefined)
    : await listOfRequest(sql, viewer, id);
  const { systems } = await nameRows(
    sql,
    viewer,
    deliveries.map((each) => ({ store_id: null, inventory_system_id: each.inventorySystemId })),
  );
  return deliveries.map((delivery) => ({
    kind: 'delivery',
    id: delivery.deliveryId,
    title: titleOfDelivery(delivery, systems.get(delivery.inventorySystemId ?? '')),
    state: delivery.state,
    url: `/api/v1/webhooks/deliveries/${delivery.deliveryId}`,
  }));
}

async function listOfRequest(
  sql: Sql,
  viewer: Viewer,
  requestId: string,
): Promise<readonly DeliveryView[]> {
  const listed = [false, true].map((events) =>
    listDeliveries(sql, viewer, { events, requestId, limit: MOST_FOUND }),
  );
  return (await Promise.all(listed)).flatMap(({ rows }) => rows);
}

function titleOfDelivery({ type, eventType }: DeliveryView, system: string | undefined): string {
  const what = eventType ?? (type === 1 ? 'Item data' : 'Stock movement');
  return system === undefined ? what : `${what}, ${system}`;
}

async function findRollouts(sql: Sql, viewer: Viewer, id: string): Promise<Found[]> {
  const rollouts = isId('rol', id)
    ? [await findRollout(sql, viewer, id)].filter((each) => each !== undefined)
    : await listRolloutsOfRequest(sql, viewer, id, MOST_FOUND);
  return rollouts.map((rollout) => ({
    kind: 'rollout',
    id: rollout.rolloutId,
    title: titleOfRollout(rollout),
    state: rollout.state,
    url: `/api/v1/menus/rollouts/${rollout.rolloutId}`,
  }));
}

function titleOfRollout({ counts: { failed, refused, ...others } }: RolloutView): string {
  const lost = failed + refused;
  const targets = Object.values(others).reduce((sum, count) => sum + count, lost);
  const end = lost === 0 ? '' : `, ${lost} failed`;
  return `Rollout to ${targets} ${targets === 1 ? 'target' : 'targets'}${end}`;
}

async function findStores(sql: Sql, viewer: Viewer, text: string): Promise<Found[]> {
  const stores = await searchStores(sql, viewer, text, { limit: MOST_FOUND });
  return stores.map(({ storeId, name }) => ({
    kind: 'store',
    id: String(storeId),
    title: name,
    state: null,
    url: `/api/v1/store/${storeId}`,
  }));
}

/** By their id, or by words of their name. */
async function findSystems(sql: Sql, viewer: Viewer, text: string): Promise<Found[]> {
  const named = namedSystemId(text);
  const systems = named
    ? [await findInventorySystem(sql, named)].filter((each) => each !== undefined)
    : await searchSystems(sql, viewer, wordsOf(text), MOST_FOUND);
  return systems
    .filter(({ createdBy }) => viewer.seesAll || createdBy === viewer.userId)
    .map(({ inventorySystemId, name }) => ({
      kind: 'inventory_system',
      id: inventorySystemId,
      title: name,
      state: null,
      url: `/api/v1/inventory/system/${inventorySystemId}`,
    }));
}

/** Where an item is off sale; its URL is the list of what is off sale there. */
async function findItems(sql: Sql, viewer: Viewer, externalId: string): Promise<Found[]> {
  const items = await listUnavailableItem(sql, viewer, externalId, MOST_FOUND);
  const titleOf = await placeNames(sql, viewer, items);
  return items.map((item) => ({
    kind: 'item',
    id: item.externalId,
    title: titleOf(item),
    state: item.state,
    url: `/api/v1/menus/availability?store_id=${item.storeId}&integration_id=${item.integrationId}`,
  }));
}

interface Place {
  readonly storeId: number;
  readonly integrationId: number;
}

/** The title of what is in a store and integration: their names. */
async function placeNames(
  sql: Sql,
  viewer: Viewer,
  places: readonly Place[],
): Promise<(place: Place) => string> {
  const { stores, integrations } = await nameRows(
    sql,
    viewer,
    places.map((each) => ({
      store_id: each.storeId,
      integration_id: String(each.integrationId),
    })),
  );
  return ({ storeId, integrationId }) => {
    const store = stores.get(String(storeId)) ?? `Store ${storeId}`;
    const integration = integrations.get(String(integrationId))?.name;
    return integration === undefined ? store : `${store}, ${integration}`;
  };
}
