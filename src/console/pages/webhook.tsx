import {
  attemptWords,
  WAITING_WORDS,
  WEBHOOK_DISABLED_WORDS,
  WEBHOOK_WORDS,
} from '../../contract/plain-words';
import { Page, type PageFrame } from '../page';
import { Action, Actions, Links } from '../controls';
import { Fields, spellMs, State, Text, Trace, WebhookType, When } from '../parts';
import type { LastAttempt } from '../sql/last-attempt';
import { Verdict } from '../verdict';
import { pathOfWebhook, stateOf, Switch, tokenFor, type WebhookEntry } from './webhooks';

/** One webhook with its health, and what can be done with it. */
export function WebhookPage({
  frame,
  webhook,
  events,
  traceUrl,
  lastAttempt,
}: {
  readonly frame: PageFrame;
  readonly webhook: WebhookEntry;
  /** Those that it gets; null: it is not for events. */
  readonly events: string | null;
  readonly traceUrl: string | null;
  /** The last attempt, where its receiver fails. */
  readonly lastAttempt: LastAttempt | null;
}) {
  const { system, health } = webhook;
  const path = pathOfWebhook(webhook);
  const formToken = tokenFor(frame, webhook);
  return (
    <Page frame={frame}>
      <Actions formToken={formToken}>
        <Switch row={webhook} formToken={formToken} />
        <Action
          name="Send a test"
          question="The receiver gets a signed test that names no store and no item."
          path={`${path}/test`}
          formToken={formToken}
        />
        {formToken !== null && (
          <a href={`/console/resend?${filterOf(webhook, 'exhausted')}`}>
            Send again what was given up
          </a>
        )}
      </Actions>
      <WebhookVerdict webhook={webhook} lastAttempt={lastAttempt} />
      <Fields
        fields={[
          ['State', <State key="state" name={stateOf(webhook)} />],
          ['Type', <WebhookType key="type" type={webhook.type} />],
          ...(system ? ([['Inventory system', system.inventory_system_id]] as const) : []),
          ...(events === null ? [] : ([['Events', events]] as const)),
          ['Receiver', webhook.url],
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
    </Page>
  );
}

/** How it is, why and since when, in a sentence with what to do. */
function WebhookVerdict({
  webhook,
  lastAttempt,
}: {
  readonly webhook: WebhookEntry;
  readonly lastAttempt: LastAttempt | null;
}) {
  const { state, health, disabled_reason: reason } = webhook;
  const failures = health.consecutive_failures;
  const since = health.failing_since && (
    <>
      Failing since <When at={health.failing_since} />
      {failures > 0 && `, ${failures} times in a row`}.
    </>
  );
  const last = lastAttempt && (
    <>
      <a href={`/console/deliveries/${lastAttempt.deliveryId}`}>The last attempt</a>:{' '}
      {attemptWords(lastAttempt)}
    </>
  );
  const said = (
    <>
      {since} {last}
    </>
  );
  if (state === 'disabled') {
    const words = Object.entries(WEBHOOK_DISABLED_WORDS).find(([name]) => name === reason)?.[1];
    const known = words ?? WEBHOOK_WORDS.disabled;
    return <Verdict tone="bad" what="Disabled." words={known} said={(since || last) && said} />;
  }
  if (stateOf(webhook) === 'paused') {
    const what = (
      <>
        Paused until <When at={health.paused_until} />.
      </>
    );
    return <Verdict tone="warn" what={what} words={WEBHOOK_WORDS.paused} said={said} />;
  }
  if (since) {
    const words = WAITING_WORDS.receiver_failing;
    return <Verdict tone="warn" what={since} words={words} said={last} />;
  }
  return <Verdict tone="good" what="Enabled." words={WEBHOOK_WORDS.enabled} />;
}

/** The filter of lists for its deliveries. */
function filterOf({ system, type }: WebhookEntry, state?: string): string {
  return new URLSearchParams({
    ...(system
      ? { inventory_system_id: system.inventory_system_id, type: String(type) }
      : { events: 'true' }),
    ...(state && { state }),
  }).toString();
}

function linksOf(webhook: WebhookEntry): (readonly [string, string])[] {
  const path = (state?: string) => `/console/deliveries?${filterOf(webhook, state)}`;
  return [
    [path(), 'All its deliveries'],
    [path('pending'), 'Those that wait'],
    [path('exhausted'), 'Those that were given up'],
  ];
}

function spelled(ms: number | null): string | null {
  return ms === null ? null : spellMs(ms);
}
