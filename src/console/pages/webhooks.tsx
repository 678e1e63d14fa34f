import { WAITING_WORDS, WEBHOOK_DISABLED_WORDS, WEBHOOK_WORDS } from '../../contract/plain-words';
import { Page, type PageFrame } from '../page';
import { Action, NextPage } from '../controls';
import { Words } from '../names';
import { spellMs, State, Table, WebhookType, When } from '../parts';

/** A webhook as the API returns it, with its system. */
export interface WebhookEntry {
  /** Null: it gets events, and belongs to a user. */
  readonly system: {
    readonly inventory_system_id: string;
    readonly inventory_system_details: { readonly name: string };
  } | null;
  readonly type: number;
  readonly url: string;
  readonly state: string;
  readonly disabled_reason: string | null;
  readonly max_in_flight: number;
  readonly max_per_second: number | null;
  readonly header_names: readonly string[];
  /** Of the last hour only the newest attempts were read. */
  readonly isOfNewest?: boolean;
  readonly health: {
    readonly consecutive_failures: number;
    readonly last_success_at: Date | null;
    readonly paused_until: Date | null;
    readonly failing_since: Date | null;
    readonly pending: number;
    readonly oldest_pending_at: Date | null;
    readonly attempts_1h: number;
    readonly failures_1h: number;
    readonly p50_ms: number | null;
    readonly p99_ms: number | null;
  };
}

export function WebhooksPage({
  frame,
  webhooks,
  nextCursor,
}: {
  readonly frame: PageFrame;
  readonly webhooks: readonly WebhookEntry[];
  readonly nextCursor: string | null | undefined;
}) {
  return (
    <Page frame={frame}>
      <Table
        caption="Your webhook for events, and those of inventory systems"
        none="There are none."
        rows={webhooks}
        columns={[
          {
            title: 'Webhook',
            cell: (row) => (
              <>
                <a href={pathOfWebhook(row)}>
                  <Words>{row.system?.inventory_system_details.name ?? 'your events'}</Words>
                </a>{' '}
                {row.system && <WebhookType type={row.type} />}
              </>
            ),
          },
          { title: 'Receiver', cell: (row) => row.url },
          { title: 'State', as: 'sentence', cell: (row) => <StateWithWhy webhook={row} /> },
          {
            title: 'Waiting',
            cell: ({ health: { pending, oldest_pending_at: oldest } }) => (
              <>
                {pending}
                {oldest && <When at={oldest} before=", the oldest since " />}
              </>
            ),
          },
          { title: 'Last success', cell: (row) => <When at={row.health.last_success_at} /> },
          { title: 'In the last hour', cell: attemptsWords },
          { title: 'Action', cell: (row) => <Switch row={row} formToken={tokenFor(frame, row)} /> },
        ]}
      />
      <NextPage
        path="/console/webhooks"
        csv="/console/inventory-systems.csv"
        csvOf="Inventory systems"
        filter={{}}
        cursor={nextCursor}
      />
    </Page>
  );
}

/** The state, since when it fails, and what to do about it. */
function StateWithWhy({ webhook }: { readonly webhook: WebhookEntry }) {
  const { health, disabled_reason: reason } = webhook;
  const state = stateOf(webhook);
  const words =
    WEBHOOK_DISABLED_WORDS[reason as keyof typeof WEBHOOK_DISABLED_WORDS] ??
    (state === 'paused'
      ? WEBHOOK_WORDS.paused
      : health.failing_since && WAITING_WORDS.receiver_failing);
  return (
    <>
      <State name={state} />
      {health.failing_since && <When at={health.failing_since} before=", failing since " />}
      {words && `. ${words.means} ${words.todo ?? ''}`}
    </>
  );
}

function attemptsWords({ health, isOfNewest = false }: WebhookEntry): string {
  const { attempts_1h: attempts, failures_1h: failures, p99_ms: ms } = health;
  if (attempts === 0) return isOfNewest ? 'none of the newest was sent' : 'nothing was sent';
  const within = ms === null ? '' : `, 99 of 100 within ${spellMs(ms)}`;
  return isOfNewest
    ? `of the newest ${attempts} attempts ${failures} failed${within}`
    : `${attempts} attempts, ${failures} failed${within}`;
}

/** The page of a webhook. */
export function pathOfWebhook({ system, type }: Pick<WebhookEntry, 'system' | 'type'>): string {
  return system
    ? `/console/webhooks/${system.inventory_system_id}/${type}`
    : '/console/webhooks/events';
}

/** The token for its actions; a webhook for events is the user's own. */
export function tokenFor(
  frame: Pick<PageFrame, 'formToken' | 'formTokenFor'>,
  { system }: Pick<WebhookEntry, 'system'>,
): string | null {
  return system === null ? frame.formToken : frame.formTokenFor(system);
}

export function stateOf({ state, health }: Pick<WebhookEntry, 'state' | 'health'>): string {
  const isPaused = health.paused_until !== null && new Date(health.paused_until) > new Date();
  return state === 'enabled' && isPaused ? 'paused' : state;
}

/** Enables or disables a webhook. */
export function Switch({
  row,
  formToken,
}: {
  readonly row: WebhookEntry;
  readonly formToken: string | null;
}) {
  const path = pathOfWebhook(row);
  return row.state === 'disabled' ? (
    <Action
      name="Enable"
      question="Its deliveries go out again, those that wait first."
      path={`${path}/enable`}
      formToken={formToken}
    />
  ) : (
    <Action
      name="Disable"
      question="Its deliveries wait until it is enabled again."
      path={`${path}/disable`}
      formToken={formToken}
    />
  );
}
