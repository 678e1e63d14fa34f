import {
  DRIFT_WORDS,
  failureWords,
  pauseReason,
  saidWords,
  TROUBLE_WORDS,
  UPLOAD_WORDS,
  WAITING_WORDS,
} from '../contract/plain-words';
import { whyUploadsWait, type WaitingDeps } from '../uploads/read-upload-waits';
import type { Viewer } from '../users/sql/users';
import type { Trouble, Troubles } from './pages/troubles';
import { reasonOf } from './parts';
import { listFailedPublications } from './sql/failed-publications';
import { type NamedRow, nameRows } from './sql/names';
import {
  LISTED,
  listDriftedMenus,
  listItemsStillOnSale,
  listPausedStores,
  listWaitingStores,
  listWaitingUploads,
} from './sql/wrong-now';

/**
 * What is wrong in the viewer's stores, in the words of the help desk, by store: the store that has been in trouble for
 * longest first. Of each kind up to `LISTED`.
 */
export async function readTroubles(deps: WaitingDeps, viewer: Viewer): Promise<Troubles> {
  const { sql } = deps;
  const [failed, waiting, paused, stillOnSale, drifted, stores] = await Promise.all([
    listFailedPublications(sql, viewer),
    listWaitingUploads(sql, viewer),
    listPausedStores(sql, viewer),
    listItemsStillOnSale(sql, viewer),
    listDriftedMenus(sql, viewer),
    listWaitingStores(sql, viewer),
  ]);
  const waits = await whyUploadsWait(deps, waiting);
  const troubles: Trouble[] = [
    ...waiting.slice(0, LISTED).map((upload): Trouble => {
      const why = waits.get(upload.uploadId);
      return {
        ...placeOf(upload),
        state: 'waits',
        since: why?.since ?? upload.createdAt,
        words: why ? WAITING_WORDS[why.reason] : UPLOAD_WORDS[upload.state],
        said: saidOrNull(why?.message),
        to: { path: `/console/uploads/${upload.uploadId}`, words: 'The menu' },
      };
    }),
    ...failed.slice(0, LISTED).map((publication): Trouble => ({
      ...placeOf(publication),
      state: 'failed',
      since: publication.finishedAt,
      words: failureWords(publication.messages),
      said: saidOrNull(reasonOf(publication.messages)),
      to: { path: `/console/uploads/${publication.uploadId}`, words: 'The menu' },
    })),
    ...paused.slice(0, LISTED).map((pause): Trouble => ({
      ...placeOf(pause),
      state: 'paused',
      since: pause.since,
      until: pause.until,
      words: TROUBLE_WORDS.paused,
      said: pauseReason(pause.reason),
      to: { path: `/console/stores/${pause.storeId}`, words: 'The store' },
    })),
    ...stillOnSale.slice(0, LISTED).map((item): Trouble => ({
      ...placeOf(item),
      state: 'still sold',
      since: item.since,
      what: item.externalId,
      words: TROUBLE_WORDS.still_sold,
      said: null,
      to: { path: `/console/availability?store_id=${item.storeId}`, words: 'Items off sale' },
    })),
    ...drifted.slice(0, LISTED).map((menu): Trouble => ({
      ...placeOf(menu),
      state: 'changed',
      since: menu.checkedAt,
      words: DRIFT_WORDS.changed,
      said: null,
      to: { path: `/console/uploads/${menu.uploadId}`, words: 'The menu' },
    })),
    ...stores.slice(0, LISTED).map(({ storeId, count, oldestAt }): Trouble => ({
      storeId,
      integrationId: null,
      state: 'waits',
      since: oldestAt,
      what: count === 1 ? 'One message' : `${count} messages`,
      words: TROUBLE_WORDS.messages_wait,
      said: null,
      to: {
        path: `/console/deliveries?store_id=${storeId}&state=pending`,
        words: 'The messages',
      },
    })),
  ];
  const isCut = [failed, waiting, paused, stillOnSale, drifted, stores].some(
    ({ length }) => length > LISTED,
  );
  return {
    troubles: byStore(troubles),
    isCut,
    names: await nameRows(sql, viewer, troubles.map(namedRow)),
  };
}

function saidOrNull(said: string | undefined): string | null {
  return said === undefined ? null : saidWords(said);
}

function placeOf(row: { readonly storeId: number; readonly integrationId: number }) {
  return { storeId: row.storeId, integrationId: String(row.integrationId) };
}

function namedRow({ storeId, integrationId }: Trouble): NamedRow {
  return { store_id: storeId, ...(integrationId !== null && { integration_id: integrationId }) };
}

/** All of a store beside each other. */
function byStore(troubles: readonly Trouble[]): readonly Trouble[] {
  const stores = new Map<number, Trouble[]>();
  for (const each of troubles.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    const others = stores.get(each.storeId);
    if (others) others.push(each);
    else stores.set(each.storeId, [each]);
  }
  return [...stores.values()].flat();
}
