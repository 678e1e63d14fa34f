import type { Shown } from '../delivery-apps/shown';
import type { Route } from '../http/route';
import type { SecretBox } from '../platform/crypto/secrets';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import {
  type ConsoleDeps,
  consolePage,
  LARGEST_PAGE,
  type PageRequest,
  sentencesOf,
} from './console-route';
import { integrationWords } from './names';
import type { UnavailableEntry } from './pages/availability';
import { type MenuInApp, StoreMenuPage } from './pages/store-menu';
import type { LiveEntry, StoreEntry, StoreIntegration } from './pages/stores';
import type { WholeUpload } from './pages/upload';
import { findItem, LONGEST_SOUGHT } from './find-item';
import { createPictureLink } from './picture-links';

export interface StoreMenuDeps extends ConsoleDeps {
  readonly sql: Sql;
  readonly secrets: Pick<SecretBox, 'sign'>;
}

/** Each is a stored menu of up to 2 MB; a store has rarely more than four. */
const MOST_APPS = 6;

/** The live menu of a store in each of its delivery apps, side by side. */
export const STORE_MENU_PAGE: Route<StoreMenuDeps> = consolePage({
  id: 'store-menu',
  path: '/console/stores/{store_id}/menu',
  parameters: { store_id: '1' },
  section: 'stores',
  summary: 'The menu of a store as guests see it',
  async show(deps: StoreMenuDeps, request) {
    const { ask, params, frame, filter } = request;
    const store = (await ask('getStore', { params })).data as StoreEntry;
    const ofStore = { store_id: String(store.id), ...LARGEST_PAGE };
    const [connected, live, offSale] = await Promise.all([
      ask('listStoreIntegrations', { params, query: LARGEST_PAGE }),
      ask('listLiveMenus', { query: ofStore }),
      ask('listUnavailable', { query: ofStore }),
    ]);
    const integrations = connected.data as StoreIntegration[];
    const all = byName(live.data as LiveEntry[], integrations);
    const menus: MenuInApp[] = [];
    // One after another, as each takes the memory of a whole menu.
    for (const entry of all.slice(0, MOST_APPS)) menus.push(await readMenu(request, entry));
    const shared = {
      store,
      integrations,
      others: all.slice(MOST_APPS),
      pictureLink: createPictureLink(deps.secrets),
    };
    const offSaleEntries = offSale.data as UnavailableEntry[];
    const typed = (filter['item'] ?? '').trim().slice(0, LONGEST_SOUGHT);
    if (typed === '') {
      return (
        <StoreMenuPage
          frame={frame('The menu as guests see it')}
          {...{ ...shared, menus, sought: null }}
          offSale={offSaleEntries}
          isOffSaleCut={Boolean(offSale.next_cursor)}
        />
      );
    }
    const found = await findItem(deps, request, { store, menus, typed });
    return (
      <StoreMenuPage
        frame={frame(`“${typed}” in the menus of ${store.name}`)}
        {...{ ...shared, ...found }}
        isOffSaleCut={false}
      />
    );
  },
});

/** In the order of their names, which stays the same from one menu to the next. */
function byName(
  live: readonly LiveEntry[],
  integrations: readonly StoreIntegration[],
): readonly LiveEntry[] {
  const names = new Map(
    integrations.map((each) => [each.integration_id, integrationWords(each.integration_id, each)]),
  );
  const nameOf = (entry: LiveEntry) => names.get(entry.integration_id) ?? entry.integration_id;
  return live.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

async function readMenu({ ask }: PageRequest, live: LiveEntry): Promise<MenuInApp> {
  if (live.upload_id === null) return { live, problem: 'Nothing is live.' };
  const params = { upload_id: live.upload_id };
  try {
    const { losses } = (await ask('getUpload', { params })).data as WholeUpload;
    return { live, shown: (await ask('getUploadShown', { params })).data as Shown, losses };
  } catch (error) {
    // Of one app, as of a menu that is too large for a page; the others are shown.
    if (!(error instanceof AppError)) throw error;
    return { live, problem: sentencesOf(error).join(' ') };
  }
}
