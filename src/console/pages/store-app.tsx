import type { ComponentChildren } from 'preact';
import { ITEM_WORDS, OFF_SALE_WORDS } from '../../contract/plain-words';
import type { WaitingFor } from '../../contract/why-it-waits';
import type { LossCounts } from '../../delivery-apps/losses';
import type { UserId } from '../../platform/ids';
import { Action, Actions } from '../controls';
import { integrationWords } from '../names';
import { Fields, State, When } from '../parts';
import { type AppFacts, COUNTED_OFF_SALE } from '../sql/store-apps';
import type { UnavailableEntry } from './availability';
import { toneOfWait } from '../waits';
import { Compared } from './store-drift';
import { credentialOf } from './store-credential';
import { Verdicts } from './store-verdicts';
import type { LiveEntry, StoreIntegration } from './stores';

/** A store in one delivery app: what is live, what is tried now, and what can be done. */
export interface StoreApp {
  readonly integration: StoreIntegration;
  readonly live: LiveEntry;
  readonly facts: AppFacts;
  /** Why the newest upload waits; null: none does. */
  readonly waits: WaitingFor | null;
  /** The newest few items off sale. */
  readonly offSale: readonly UnavailableEntry[];
  /** The service has an adapter for the app. */
  readonly isConfigured: boolean;
  /** The app can be told and sent something for this store. */
  readonly canBeTold: boolean;
  /** It has a way to be asked what it shows. */
  readonly readsMenus: boolean;
  /** It can be asked for this store. */
  readonly canBeRead: boolean;
  readonly canBePreviewed: boolean;
}

/** Who looks at the page, and whose names they see. */
export interface StoreReader {
  readonly viewerId: UserId;
  /** They see the names of other users. */
  readonly seesNames: boolean;
}

interface Card {
  readonly app: StoreApp;
  readonly store: { readonly id: number; readonly name: string };
  readonly reader: StoreReader;
  /** Null: they may not act on the store. */
  readonly formToken: string | null;
}

/** One card: its states, its actions, what is the matter, and what is so. */
export function StoreAppCard(card: Card) {
  const { app, reader, store } = card;
  const { integration, live, facts } = app;
  return (
    <article class="card">
      <header>
        <h3>
          <a href={`/console/apps/${integration.integration_id}`}>
            {integrationWords(integration.integration_id, integration)}
          </a>
        </h3>
        <States app={app} />
      </header>
      <CardActions {...card} />
      <Verdicts app={app} />
      <Fields
        fields={[
          ['Guests see', <Live key="live" {...{ live, facts, reader }} />],
          ['Orders', <Orders key="orders" paused={integration.paused} />],
          ['Off sale', <OffSale key="off" {...{ app, storeId: store.id }} />],
          [
            'Read back',
            <Compared key="compared" {...{ live, facts, readsMenus: app.readsMenus }} />,
          ],
          ['Signing in', credentialOf(app).words],
          ['Id in the app', integration.delivery_id ?? 'none: it must have one'],
        ]}
      />
    </article>
  );
}

/** The state of the card in words, the worst first. */
function States({ app: { integration, live, facts, waits } }: { readonly app: StoreApp }) {
  const states = [
    ...(integration.active ? [] : ['not active']),
    ...(facts.openId ? [waits && toneOfWait(waits) === 'warn' ? 'waits' : 'on its way'] : []),
    ...(!facts.openId && facts.lastState === 'failed' ? ['failed'] : []),
    ...(integration.paused ? ['paused'] : []),
    ...(live.drift.state === 'changed' ? ['changed'] : []),
    live.upload_id ? 'live' : 'nothing live',
  ];
  return (
    <p class="states">
      {states.map((state) => (
        <State key={state} name={state} />
      ))}
    </p>
  );
}

function CardActions({ app, store, formToken }: Card) {
  const { integration, live, facts } = app;
  const path = `/console/stores/${store.id}`;
  const fields = { integration_id: integration.integration_id };
  const failedId = facts.lastState === 'failed' ? facts.lastId : null;
  const againId = failedId ?? live.upload_id ?? facts.lastId;
  const isOnItsWay = facts.openId !== null;
  return (
    <Actions>
      {app.canBeTold && againId && !isOnItsWay && (
        <Action
          name="Publish again"
          question={
            failedId
              ? 'The menu that failed last is sent to the delivery app again, as a new upload.'
              : 'The menu that is live is sent to the delivery app again, as a new upload.'
          }
          path={`/console/uploads/${againId}/republish`}
          formToken={formToken}
        />
      )}
      {integration.paused ? (
        <Action
          name="Resume"
          question={`Guests of ${integration.name} can order at ${store.name} again.`}
          path={`${path}/resume`}
          {...{ formToken, fields }}
        />
      ) : (
        app.canBeTold && (
          <Action
            name="Pause"
            question={`Guests of ${integration.name} cannot order at ${store.name} until it is resumed.`}
            path={`${path}/pause`}
            {...{ formToken, fields }}
          >
            <label>
              Reason, for whoever looks later <input name="reason" maxLength={255} />
            </label>
          </Action>
        )
      )}
      {app.canBeRead && live.upload_id && (
        <Action
          name="Read back"
          question="The menu is read from the delivery app and compared with what was sent."
          path={`${path}/check`}
          {...{ formToken, fields }}
        />
      )}
      {failedId && !isOnItsWay && (
        <a href={`/console/uploads/${failedId}/changes?against=live`}>
          What the failed menu would change
        </a>
      )}
      {app.canBePreviewed && <a href={`${path}/preview`}>Preview a menu</a>}
    </Actions>
  );
}

function Live({
  live,
  facts,
  reader,
}: {
  readonly live: LiveEntry;
  readonly facts: AppFacts;
  readonly reader: StoreReader;
}) {
  const { upload_id: id, live_since: since } = live;
  if (!id) return <>nothing of ours yet: no menu has gone live here</>;
  const path = `/console/uploads/${id}`;
  return (
    <>
      <a href={path}>the menu</a> since <When at={since} />
      {facts.liveUserId !== null && `, sent by ${authorOf(facts, reader)}`}
      {facts.liveLossCounts && (
        <>
          ; <a href={path}>{lossWords(facts.liveLossCounts)}</a>
        </>
      )}
    </>
  );
}

function authorOf({ liveUserId, liveUserName }: AppFacts, reader: StoreReader): string {
  if (liveUserId === reader.viewerId) return 'you';
  return reader.seesNames ? (liveUserName ?? String(liveUserId)) : 'another user';
}

/** `block` losses keep a menu from going live, so a live one has none. */
function lossWords({ block, warn, info }: LossCounts): string {
  if (block + warn + info === 0) return 'nothing is lost';
  const parts = [
    ...(block > 0 ? [`${block} that block`] : []),
    ...(warn > 0 ? [`${warn} that guests may miss`] : []),
    ...(info > 0 ? [`${info} that guests do not notice`] : []),
  ];
  return `losses: ${parts.join(', ')}`;
}

function Orders({ paused }: { readonly paused: StoreIntegration['paused'] }) {
  if (!paused) return <>are taken</>;
  return (
    <>
      are not taken,{' '}
      {paused.until ? <When at={paused.until} before="until " /> : 'until somebody resumes it'}
    </>
  );
}

function OffSale({ app, storeId }: { readonly app: StoreApp; readonly storeId: number }) {
  const { facts, offSale, integration } = app;
  if (facts.offSale === 0) return <>nothing</>;
  const more = facts.offSale - offSale.length;
  const all = `/console/availability?store_id=${storeId}&integration_id=${integration.integration_id}`;
  return (
    <>
      <ul>
        {offSale.map((item) => (
          <li key={item.external_id}>
            <ItemOff item={item} />
          </li>
        ))}
      </ul>
      <a href={all}>
        {more > 0
          ? `${countWords(facts.offSale)} in all, with what to do`
          : 'What to do about them'}
      </a>
    </>
  );
}

function countWords(count: number): string {
  return count > COUNTED_OFF_SALE ? `more than ${COUNTED_OFF_SALE}` : String(count);
}

function ItemOff({ item }: { readonly item: UnavailableEntry }): ComponentChildren {
  const { means: reason } = OFF_SALE_WORDS[item.source as keyof typeof OFF_SALE_WORDS];
  return (
    <>
      <strong>{item.external_id}</strong> since <When at={item.since} />
      {item.until && <When at={item.until} before=", until " />}: {reason}
      {item.state === 'failed' && (
        <>
          {' '}
          <span class="state bad">still sold</span> {ITEM_WORDS.failed.todo}
        </>
      )}
    </>
  );
}
