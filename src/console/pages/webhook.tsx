import { Page, type PageFrame } from '../page';
import { Action, Actions, Links } from '../controls';
import { Fields, spellMs, State, Text, Trace, WebhookType, When } from '../parts';
import { pathOfWebhook, stateOf, Switch, tokenFor, type WebhookEntry } from './webhooks';

/** One webhook with its health, and what can be done with it. */
export function WebhookPage({
  frame,
  webhook,
  events,
  traceUrl,
}: {
  readonly frame: PageFrame;
  readonly webhook: WebhookEntry;
  /** Those that it gets; null: it is not for events. */
  readonly events: string | null;
  readonly traceUrl: string | null;
}) {
  const { system, health } = webhook;
  const path = pathOfWebhook(webhook);
  const formToken = tokenFor(frame, webhook);
  return (
    <Page frame={frame}>
      <Fields
        fields={[
          ['State', <State key="state" name={stateOf(webhook)} />],
          ['Type', <WebhookType key="type" type={webhook.type} />],
          ...(system ? ([['Inventory system', system.inventory_system_id]] as const) : []),
          ...(events === null ? [] : ([['Events', events]] as const)),
          ['Receiver', webhook.url],
          ['Why', <Text key="why">{webhook.disabled_reason?.replaceAll('_', ' ')}</Text>],
          ['Failing since', <When key="failing" at={health.failing_since} />],
          ['Paused until', <When key="paused" at={health.paused_until} />],
          ['Failures in a row', health.consecutive_failures],
          ['Last success', <When key="success" at={health.last_success_at} />],
          ['Waiting', health.pending],
          ['Oldest that waits', <When key="oldest" at={health.oldest_pending_at} />],
          ['Attempts in 1 h', health.attempts_1h],
          ['Failed in 1 h', health.failures_1h],
          ['Half of them within', <Text key="p50">{spelled(health.p50_ms)}</Text>],
          ['99 of 100 within', <Text key="p99">{spelled(health.p99_ms)}</Text>],
          ['In flight at most', webhook.max_in_flight],
          ['A second at most', <Text key="rate">{webhook.max_per_second}</Text>],
          ['Headers', <Text key="headers">{webhook.header_names.join(', ')}</Text>],
          ['Trace', <Trace key="trace" url={traceUrl} />],
        ]}
      />
      <Links to={linksOf(webhook)} />
      <Actions formToken={formToken}>
        <Switch row={webhook} formToken={formToken} />
        <Action
          name="Send a test"
          question="The receiver gets a signed test that names no store and no item."
          path={`${path}/test`}
          formToken={formToken}
        />
      </Actions>
    </Page>
  );
}

function linksOf({ system, type }: WebhookEntry): (readonly [string, string])[] {
  const filter = new URLSearchParams(
    system
      ? { inventory_system_id: system.inventory_system_id, type: String(type) }
      : { events: 'true' },
  );
  const path = `/console/deliveries?${filter.toString()}`;
  return [
    [path, 'All its deliveries'],
    [`${path}&state=pending`, 'Those that wait'],
    [`${path}&state=exhausted`, 'Those that were given up'],
  ];
}

function spelled(ms: number | null): string | null {
  return ms === null ? null : spellMs(ms);
}
