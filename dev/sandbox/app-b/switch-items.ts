import type { AppAnswer, AppCall } from '../app-simulator';
import { jsonAnswer } from '../app-simulator';
import { type RateWindow, withRetryAfter } from '../rate-window';
import type { MenuReader, StoreStates } from '../store-states';
import { isObject } from './check-shape';
import { parseObject } from '../read-json';

const MOST_IDS = 100;
const STATUSES: ReadonlySet<unknown> = new Set(['AVAILABLE', 'UNAVAILABLE']);

export const READ_APP_B: MenuReader = {
  keepsOff: false,
  itemIds: (payload) => new Set(itemsIn(payload).map((item) => String(item['id']))),
  offIn: (payload) =>
    payload.includes('UNAVAILABLE')
      ? itemsIn(payload)
          .filter((item) => item['status'] === 'UNAVAILABLE')
          .map((item) => ({ id: String(item['id']), until: null }))
      : [],
};

/** Answers up to 100 items in one call: switches the known ones and names the others. */
export function answerItems(
  call: AppCall,
  merchantId: string,
  stores: StoreStates,
  rate: RateWindow,
): AppAnswer {
  const waitMs = rate.take(merchantId);
  if (waitMs > 0) return withRetryAfter(jsonAnswer(429, { error: 'too_many_requests' }), waitMs);
  const items = parseObject(call.body)?.['items'];
  if (!Array.isArray(items) || items.length === 0) return invalid('missing_field', '/items');
  if (items.length > MOST_IDS) return invalid('too_many_items', '/items');
  const wrong = items.findIndex(
    (item) => !isObject(item) || typeof item['id'] !== 'string' || !STATUSES.has(item['status']),
  );
  if (wrong >= 0) return invalid('wrong_type', `/items/${wrong}`);
  const sent = items as readonly { readonly id: string; readonly status: string }[];
  const refused = new Set(
    stores.unknownItems(
      merchantId,
      sent.map(({ id }) => id),
    ),
  );
  const scripted = call.fault?.kind === 'item_failed' ? call.fault.ids : [];
  for (const id of scripted) refused.add(id);
  const taken = sent.filter(({ id }) => !refused.has(id));
  const [off, on] = ['UNAVAILABLE', 'AVAILABLE'].map((status) =>
    taken.filter((item) => item.status === status).map(({ id }) => id),
  );
  stores.switchItems(
    merchantId,
    (off ?? []).map((id) => ({ id, until: null })),
    on ?? [],
  );
  return jsonAnswer(200, {
    updated: taken.map(({ id }) => id),
    failed: sent
      .filter(({ id }) => refused.has(id))
      .map(({ id }) => ({ id, code: 'item_not_found' })),
  });
}

/** Answers `{"open": …}`: a closed merchant stays closed until told otherwise. */
export function answerOpen(call: AppCall, merchantId: string, stores: StoreStates): AppAnswer {
  const open = parseObject(call.body)?.['open'];
  if (typeof open !== 'boolean') return invalid('wrong_type', '/open');
  stores.pause(merchantId, { paused: !open, until: null, reason: null });
  return { status: 204 };
}

function invalid(code: string, path: string): AppAnswer {
  return jsonAnswer(400, { errors: [{ code, path, message: 'is not right' }] });
}

function itemsIn(payload: Buffer): readonly Readonly<Record<string, unknown>>[] {
  const items = parseObject(payload)?.['items'];
  return Array.isArray(items) ? items.filter(isObject) : [];
}
