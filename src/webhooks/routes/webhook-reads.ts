import { pageSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import { listSubscriptionHealth, type SubscriptionHealth } from '../sql/subscription-health';
import { pageAnswer, ref } from '../../contract/answer-schemas';
import { SYSTEM_ID, WEBHOOK_HEALTH } from '../../contract/examples';
import { PAGE_REFUSALS, SYSTEM_MISSING } from '../../contract/refusals';
import { findSeenPathSystem } from '../../inventory/guards';
import { pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { renderHealth } from '../webhook-answers';
import { query, type Route, route, token } from '../../http/route';

export interface WebhookReadDeps {
  readonly sql: Sql;
}

export const WEBHOOK_READ_ROUTE: Route<WebhookReadDeps> = route({
  id: 'listWebhooks',
  method: 'get',
  path: '/api/v1/inventory/system/{inventory_system_id}/webhook',
  parameters: { inventory_system_id: SYSTEM_ID },
  group: 'Webhooks',
  summary: 'See the webhooks of a system and their health',
  description:
    'At most one for each type. The secret is never shown, and of the headers only the names.',
  access: token(),
  idempotency: 'none',
  query: query(pageSchema),
  body: noBody,
  answers: [
    {
      status: 200,
      schema: pageAnswer(ref('WebhookHealth')),
      examples: { page: { message: 'Success.', data: [WEBHOOK_HEALTH], next_cursor: null } },
    },
    SYSTEM_MISSING,
    PAGE_REFUSALS,
  ],
  async handle({ sql }: WebhookReadDeps, { ctx, params, query: given }) {
    const page = readPage(readType, given);
    const system = await findSeenPathSystem(sql, ctx.state.caller, params.inventory_system_id);
    const all = await listSubscriptionHealth(sql, [system.inventorySystemId]);
    // There are two at most, so paging happens here.
    const { before = 0 } = page.wanted;
    const rows = all.filter(({ type }) => type > before);
    ctx.body = pageOf(rows, page, ({ type }) => String(type), renderWebhook);
  },
});

function readType(text: string): number | undefined {
  return text === '1' || text === '2' ? Number(text) : undefined;
}

/** A webhook in an answer: its settings and its health. */
export function renderWebhook(webhook: SubscriptionHealth) {
  return {
    type: webhook.type,
    url: webhook.url,
    state: webhook.state,
    disabled_reason: webhook.disabledReason,
    max_in_flight: webhook.maxInFlight,
    max_per_second: webhook.maxPerSecond,
    header_names: webhook.headerNames,
    health: renderHealth(webhook),
  };
}
