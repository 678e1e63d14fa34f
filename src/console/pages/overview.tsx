import {
  TROUBLE_WORDS,
  WAITING_WORDS,
  WEBHOOK_DISABLED_WORDS,
  WEBHOOK_WORDS,
} from '../../contract/plain-words';
import { appWords, Words } from '../names';
import { Page, type PageFrame } from '../page';
import { IdLink, spellDuration, State, Table, WebhookType, When } from '../parts';
import type { Lately } from '../read-lately';
import type { TroubledWebhook } from '../sql/overview';
import { type FailedRollout, LATE_S } from '../sql/wrong-now';
import { Verdict } from '../verdict';
import type { Viewer } from '../../users/sql/users';
import { WithoutStores } from './without-stores';
import { rolloutOutcome } from '../rollout-outcome';
import { RolloutWord } from './rollouts';
import { DeliveryPlots, UploadPlots } from './overview-plots';
import { TroubledStores, type Troubles } from './troubles';

export interface Overview {
  readonly viewer: Viewer;
  /** Whether the viewer sees any. */
  readonly hasStores: boolean;
  readonly troubles: Troubles;
  readonly webhooks: readonly TroubledWebhook[];
  readonly rollouts: readonly FailedRollout[];
  readonly lately: Lately;
  /** How long the oldest due row of the whole service has been waiting, s. */
  readonly oldestDueSeconds: number;
}

/** What is wrong comes first, by store. */
export function OverviewPage({
  frame,
  overview,
}: {
  readonly frame: PageFrame;
  readonly overview: Overview;
}) {
  const { troubles, webhooks, rollouts, oldestDueSeconds } = overview;
  const { deliveries, uploads, countedAt } = overview.lately;
  const isLate = oldestDueSeconds > LATE_S;
  const isWell = troubles.troubles.length + webhooks.length + rollouts.length === 0 && !isLate;
  return (
    <Page frame={frame}>
      {!overview.hasStores && <WithoutStores viewer={overview.viewer} />}
      <section>
        <h2>Wrong now</h2>
        {isWell && (
          <p>
            <span class="state good">Nothing is wrong</span> in what you see: no menu failed or
            waits in vain, no store is paused, no app shows another menu than was sent, and every
            stock system gets its messages.
          </p>
        )}
        {isLate && (
          <Verdict
            tone="bad"
            what={`The oldest work that is due has waited for ${spellDuration(oldestDueSeconds)}: too long.`}
            words={TROUBLE_WORDS.behind}
          />
        )}
        <TroubledStores troubles={troubles} />
        <TroubledWebhooks webhooks={webhooks} />
        <FailedRollouts rollouts={rollouts} />
      </section>
      <section>
        <h2>Lately</h2>
        <div class="plots">
          <DeliveryPlots rows={deliveries} now={countedAt} />
          <UploadPlots uploads={uploads} />
        </div>
        <Table
          caption="Uploads of the last 24 hours"
          none="No uploads in the last 24 hours."
          rows={uploads}
          columns={[
            { title: 'App', cell: (row) => appWords(row.app) },
            { title: 'State', cell: (row) => <State name={row.state} /> },
            { title: 'Uploads', as: 'number', cell: (row) => row.count },
          ]}
        />
      </section>
    </Page>
  );
}

function TroubledWebhooks({ webhooks }: { readonly webhooks: readonly TroubledWebhook[] }) {
  if (webhooks.length === 0) return null;
  return (
    <Table
      caption="Webhooks that do not take what is sent"
      none=""
      rows={webhooks}
      columns={[
        {
          title: 'Webhook',
          cell: (row) => (
            <>
              <TroubledLink webhook={row} /> <WebhookType type={row.type} />
            </>
          ),
        },
        { title: 'Receiver', cell: (row) => row.url },
        { title: 'State', cell: (row) => <State name={stateOf(row)} /> },
        { title: 'Failing since', cell: (row) => <When at={row.failingSince} /> },
        {
          title: 'Waiting',
          cell: ({ waiting, oldestWaitingAt }) => (
            <>
              {waiting}
              {oldestWaitingAt && <When at={oldestWaitingAt} before=", the oldest since " />}
            </>
          ),
        },
        {
          title: 'What is the matter, and what to do',
          as: 'sentence',
          cell: (row) => {
            const { means, todo } = wordsOf(row);
            return `${means} ${todo ?? ''}`;
          },
        },
      ]}
    />
  );
}

function stateOf({ state, pausedUntil }: TroubledWebhook): 'disabled' | 'paused' | 'failing' {
  if (state === 'disabled') return 'disabled';
  return pausedUntil !== null && pausedUntil > new Date() ? 'paused' : 'failing';
}

function wordsOf(webhook: TroubledWebhook) {
  const { state, disabledReason: reason } = webhook;
  if (stateOf(webhook) === 'paused') return WEBHOOK_WORDS.paused;
  if (state !== 'disabled') return WAITING_WORDS.receiver_failing;
  return (
    WEBHOOK_DISABLED_WORDS[reason as keyof typeof WEBHOOK_DISABLED_WORDS] ?? WEBHOOK_WORDS.disabled
  );
}

/** The page of a webhook, by the name of its system; another user's webhook for events has none. */
function TroubledLink({ webhook }: { readonly webhook: TroubledWebhook }) {
  const { systemName, inventorySystemId: systemId, type, isOwn } = webhook;
  if (systemId !== null) {
    return (
      <a href={`/console/webhooks/${systemId}/${type}`}>
        <Words>{systemName ?? systemId}</Words>
      </a>
    );
  }
  return isOwn ? <a href="/console/webhooks/events">your events</a> : <>events of a user</>;
}

function FailedRollouts({ rollouts }: { readonly rollouts: readonly FailedRollout[] }) {
  if (rollouts.length === 0) return null;
  return (
    <Table
      caption="Rollouts of the last 7 days that did not come to all their stores"
      none=""
      rows={rollouts}
      columns={[
        { title: 'Rollout', cell: (row) => <IdLink path="/console/rollouts" id={row.rolloutId} /> },
        { title: 'State', cell: (row) => <RolloutWord of={row} /> },
        { title: 'Ended', cell: (row) => <When at={row.finishedAt} /> },
        {
          title: 'What is the matter, and what to do',
          as: 'sentence',
          cell: (row) => {
            const { means, todo } = rolloutOutcome(row).words;
            return `${means} ${todo ?? ''}`;
          },
        },
        {
          title: 'More',
          cell: (row) => (
            <a href={`/console/rollouts/${row.rolloutId}?state=failed`}>Those that failed</a>
          ),
        },
      ]}
    />
  );
}
