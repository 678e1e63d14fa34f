import type { Shown } from '../../delivery-apps/shown';
import type { Loss } from '../../delivery-apps/types';
import { Links } from '../controls';
import { IntegrationLink, integrationWords } from '../names';
import { Page, type PageFrame } from '../page';
import { IdLink, When } from '../parts';
import type { PictureLink } from '../picture-links';
import { type OffSale, ShownMenu } from '../shown-menu';
import type { UnavailableEntry } from './availability';
import type { LiveEntry, StoreEntry, StoreIntegration } from './stores';

/** What one delivery app shows of a store, or why that cannot be said. */
export type MenuInApp =
  | { readonly live: LiveEntry; readonly shown: Shown; readonly losses: readonly Loss[] }
  | { readonly live: LiveEntry; readonly problem: string };

/** Items of all apps together; a longer page would not be read to its end. */
const MOST_ITEMS = 500;

/** The live menu of a store in each delivery app, side by side, as guests see it. */
export function StoreMenuPage({
  frame,
  store,
  integrations,
  menus,
  others,
  offSale,
  isOffSaleCut,
  pictureLink,
}: {
  readonly frame: PageFrame;
  readonly store: StoreEntry;
  readonly integrations: readonly StoreIntegration[];
  readonly menus: readonly MenuInApp[];
  /** Apps for which the page has no room. */
  readonly others: readonly LiveEntry[];
  readonly offSale: readonly UnavailableEntry[];
  /** More are off sale than are marked. */
  readonly isOffSaleCut: boolean;
  readonly pictureLink: PictureLink;
}) {
  const mostItems = Math.ceil(MOST_ITEMS / Math.max(1, menus.length));
  const nameOf = ({ integration_id: id }: LiveEntry) =>
    integrations.find((each) => each.integration_id === id);
  return (
    <Page frame={frame}>
      <p>
        Store <a href={`/console/stores/${store.id}`}>{store.name}</a>, as the service sent its
        menus; what an app shows otherwise stands under “Read back” on the store’s page.
      </p>
      {isOffSaleCut && (
        <p>
          More items are off sale than are marked here:{' '}
          <a href={`/console/availability?store_id=${store.id}`}>all of them</a>.
        </p>
      )}
      {menus.length === 0 && <p class="none">The store is connected to no delivery app.</p>}
      <div class="apps">
        {menus.map((menu) => (
          <section key={menu.live.integration_id}>
            <h2>
              <IntegrationLink id={menu.live.integration_id} name={nameOf(menu.live)} />
            </h2>
            {menu.live.upload_id !== null && (
              <p class="none">
                Live since <When at={menu.live.live_since} />,{' '}
                <IdLink path="/console/uploads" id={menu.live.upload_id} />
              </p>
            )}
            {'problem' in menu ? (
              <p class="none">{menu.problem}</p>
            ) : (
              <ShownMenu
                shown={menu.shown}
                losses={menu.losses}
                offSale={offSaleIn(menu.live, offSale)}
                level={3}
                {...{ mostItems, pictureLink }}
              />
            )}
          </section>
        ))}
      </div>
      <Links
        to={others.flatMap((entry) => {
          const { integration_id: id, upload_id: uploadId } = entry;
          const name = nameOf(entry);
          const words = name ? integrationWords(id, name) : `Integration ${id}`;
          return uploadId === null ? [] : [[`/console/uploads/${uploadId}/shown`, words] as const];
        })}
      />
    </Page>
  );
}

/** The items that are off sale in one app. */
function offSaleIn({ integration_id: id }: LiveEntry, all: readonly UnavailableEntry[]): OffSale {
  const own = all.filter((each) => each.integration_id === id);
  return new Map(own.map((each) => [each.external_id, each]));
}
