import {
  TROUBLE_WORDS,
  WAITING_WORDS,
  WEBHOOK_DISABLED_WORDS,
  WEBHOOK_WORDS,
} from '../../contract/plain-words';
import { Links } from '../controls';
import { Fields, State, WebhookType, When } from '../parts';
import {
  COUNTED_WAITING,
  type LinkedSystem,
  LISTED_SYSTEMS,
  type WaitingDeliveries,
} from '../sql/store-systems';
import { Verdict } from '../verdict';
import type { Messages } from '../with-items';
import { DeliveryTable } from './deliveries';
import { stateOf, type WebhookEntry } from './webhooks';

/** An inventory system of a store, with its webhooks where the viewer sees them. */
export interface StoreSystem extends LinkedSystem {
  readonly webhooks: readonly Omit<WebhookEntry, 'system'>[];
}

/** A delivery that waits for less is on its way, ms. */
const SOON_MS = 60_000;

export function StoreSystems({
  systems,
  waiting,
  messages,
  storeId,
}: {
  readonly systems: readonly StoreSystem[];
  readonly waiting: WaitingDeliveries;
  /** The newest few about the store. */
  readonly messages: Messages;
  readonly storeId: number;
}) {
  return (
    <section>
      <h2>Inventory systems</h2>
      <Waiting {...{ waiting, storeId }} />
      {systems.length === 0 && (
        <p class="none">The store is linked to none, so nobody gets its stock and its items.</p>
      )}
      <div class="cards">
        {systems.slice(0, LISTED_SYSTEMS).map((system) => (
          <SystemCard key={system.inventorySystemId} system={system} />
        ))}
      </div>
      {systems.length > LISTED_SYSTEMS && <p>{`There are more than these ${LISTED_SYSTEMS}.`}</p>}
      {(systems.length > 0 || messages.deliveries.length > 0) && (
        <DeliveryTable
          caption="The last messages about the store, also those that wait; newest first"
          none="The store has told its stock systems nothing yet."
          isOfStore
          {...messages}
        />
      )}
      {messages.deliveries.length > 0 && (
        <Links to={[[`/console/deliveries?store_id=${storeId}`, 'All of them, by item too']]} />
      )}
    </section>
  );
}

/** What of this store waits for its receivers, to whomever they belong. */
function Waiting({
  waiting: { count, oldestAt },
  storeId,
}: {
  readonly waiting: WaitingDeliveries;
  readonly storeId: number;
}) {
  if (count === 0 || !oldestAt || Date.now() - oldestAt.getTime() < SOON_MS) return null;
  const many = count >= COUNTED_WAITING ? `${COUNTED_WAITING} or more` : String(count);
  return (
    <Verdict
      tone="warn"
      what={
        <>
          <a href={`/console/deliveries?store_id=${storeId}&state=pending`}>
            {count === 1 ? 'One message' : `${many} messages`}
          </a>
          {` about this store ${count === 1 ? 'waits' : 'wait'}, the oldest since `}
          <When at={oldestAt} />.
        </>
      }
      words={TROUBLE_WORDS.messages_wait}
    />
  );
}

function SystemCard({ system }: { readonly system: StoreSystem }) {
  const { name, webhooks, inventorySystemId: id } = system;
  return (
    <article class="card">
      <header>
        <h3>{name ?? 'A system of another user'}</h3>
      </header>
      <Fields
        fields={[
          ['Store’s id there', system.externalStoreId],
          ['Its id', id],
        ]}
      />
      {name === null && (
        <p class="quiet">Its name and its webhooks are shown to the user who made it.</p>
      )}
      {name !== null && webhooks.length === 0 && (
        <p class="quiet">It has no webhook, so nothing is sent to it.</p>
      )}
      {webhooks.map((webhook) => (
        <WebhookPart key={webhook.type} {...{ webhook, id }} />
      ))}
    </article>
  );
}

function WebhookPart({
  webhook,
  id,
}: {
  readonly webhook: Omit<WebhookEntry, 'system'>;
  readonly id: string;
}) {
  const { health, disabled_reason: reason } = webhook;
  const state = stateOf(webhook);
  return (
    <>
      <p class="part">
        <a href={`/console/webhooks/${id}/${webhook.type}`}>
          Webhook for <WebhookType type={webhook.type} />
        </a>{' '}
        <State name={state} />
      </p>
      {state === 'disabled' && (
        <Verdict
          tone="bad"
          what="Nothing is sent."
          words={
            WEBHOOK_DISABLED_WORDS[reason as keyof typeof WEBHOOK_DISABLED_WORDS] ??
            WEBHOOK_WORDS.disabled
          }
        />
      )}
      {state !== 'disabled' && health.failing_since && (
        <Verdict
          tone="warn"
          what={
            <>
              It fails since <When at={health.failing_since} />.
            </>
          }
          words={state === 'paused' ? WEBHOOK_WORDS.paused : WAITING_WORDS.receiver_failing}
          said={
            health.paused_until &&
            state === 'paused' && (
              <>
                Next try <When at={health.paused_until} />.
              </>
            )
          }
        />
      )}
      <Fields
        fields={[
          ['Receiver', webhook.url],
          [
            'Waiting',
            <>
              {health.pending}
              {health.oldest_pending_at && (
                <>
                  , the oldest since <When at={health.oldest_pending_at} />
                </>
              )}
            </>,
          ],
          ['Last success', <When key="success" at={health.last_success_at} />],
        ]}
      />
    </>
  );
}
