import { Links } from '../controls';
import { Page, type PageFrame } from '../page';
import { Fields, Text } from '../parts';
import type { Messages } from '../with-items';
import { ItemSearch } from './store-menu';
import type { WaitingDeliveries } from '../sql/store-systems';
import { type StoreApp, StoreAppCard, type StoreReader } from './store-app';
import { type StoreSystem, StoreSystems } from './store-systems';
import type { StoreEntry } from './stores';
import { Timeline, type TimelinePage } from './store-timeline';

/** All that the page of a store shows beside the store itself. */
export interface StoreView extends StoreReader {
  readonly apps: readonly StoreApp[];
  readonly systems: readonly StoreSystem[];
  readonly waiting: WaitingDeliveries;
  readonly messages: Messages;
  readonly timeline: TimelinePage;
}

/** Why a menu is not live, and what to do: one card for each delivery app, then the stock systems, then what happened. */
export function StorePage({
  frame,
  store,
  view,
}: {
  readonly frame: PageFrame;
  readonly store: StoreEntry;
  readonly view: StoreView;
}) {
  const { apps, systems, waiting, messages } = view;
  const of = `store_id=${store.id}`;
  return (
    <Page frame={frame}>
      <Links
        to={[
          [`/console/uploads?${of}`, 'Uploads of this store'],
          [`/console/availability?${of}`, 'Items off sale'],
          [`/console/deliveries?${of}`, 'Messages to stock systems'],
          [`/console/stores/${store.id}/menu`, 'The menu as guests see it'],
          [`/console/stores/${store.id}/preview`, 'Preview a menu'],
        ]}
      />
      <ItemSearch storeId={store.id} />
      <section>
        <h2>Delivery apps</h2>
        {apps.length === 0 && (
          <p class="none">
            The store is connected to none, so it has no menu anywhere. Whoever runs this service
            connects it.
          </p>
        )}
        <div class="cards">
          {apps.map((app) => (
            <StoreAppCard
              key={app.integration.integration_id}
              {...{
                app,
                store,
                reader: view,
                formToken: frame.formTokenFor({ store_id: store.id }),
              }}
            />
          ))}
        </div>
      </section>
      <StoreSystems {...{ systems, waiting, messages, storeId: store.id }} />
      <Timeline {...view.timeline} path={`/console/stores/${store.id}`} />
      <section>
        <h2>The store</h2>
        <Fields
          fields={[
            ['Id', store.id],
            ['Country', store.country],
            ['Time zone', store.time_zone ?? 'none'],
            ['Address', <Text key="address">{store.direction}</Text>],
          ]}
        />
      </section>
    </Page>
  );
}
