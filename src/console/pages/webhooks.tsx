import { Page, type PageFrame } from '../page';
import { Action, NextPage } from '../controls';
import { Words } from '../names';
import { spellMs, State, Table, Text, WebhookType, When } from '../parts';

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
              <a href={pathOfWebhook(row)}>
                <Words>{row.system?.inventory_system_details.name ?? 'your events'}</Words>
              </a>
            ),
          },
          { title: 'Type', cell: (row) => <WebhookType type={row.type} /> },
          { title: 'Receiver', cell: (row) => row.url },
          { title: 'State', cell: (row) => <State name={stateOf(row)} /> },
          { title: 'Why', cell: (row) => <Text>{row.disabled_reason?.replaceAll('_', ' ')}</Text> },
          { title: 'Failing since', cell: (row) => <When at={row.health.failing_since} /> },
          { title: 'Waiting', as: 'number', cell: (row) => row.health.pending },
          { title: 'Oldest', cell: (row) => <When at={row.health.oldest_pending_at} /> },
          { title: 'Attempts in 1 h', as: 'number', cell: (row) => row.health.attempts_1h },
          { title: 'Failed in 1 h', as: 'number', cell: (row) => row.health.failures_1h },
          {
            title: '99 of 100 within',
            as: 'number',
            cell: ({ health: { p99_ms: ms } }) => <Text>{ms === null ? null : spellMs(ms)}</Text>,
          },
          { title: 'Action', cell: (row) => <Switch row={row} formToken={tokenFor(frame, row)} /> },
        ]}
      />
      <NextPage path="/console/webhooks" filter={{}} cursor={nextCursor} />
    </Page>
  );
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

export function stateOf({ state, health }: WebhookEntry): string {
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
