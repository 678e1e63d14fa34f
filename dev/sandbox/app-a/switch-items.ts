import type { AppAnswer, AppCall } from '../app-simulator';
import { jsonAnswer } from '../app-simulator';
import { type RateWindow, withRetryAfter } from '../rate-window';
import type { MenuReader, OffItem, StoreStates } from '../store-states';
import { isFields, parseObject } from '../read-json';

/** How the app writes that an item is off sale without an end; later times mean the same. */
const FOR_EVER_S = 8_000_000_000;
export const TOO_MANY = 'Too many calls.';

export const READ_APP_A: MenuReader = {
  keepsOff: false,
  itemIds: (payload) => new Set(itemsIn(payload).map((item) => String(item['id']))),
  offIn(payload, now) {
    if (!payload.includes('suspension_info')) return [];
    return itemsIn(payload).flatMap((item): OffItem[] => {
      const off = suspensionOf(item['suspension_info'], now);
      return off && off !== 'invalid' ? [{ id: String(item['id']), until: off.until }] : [];
    });
  },
};

/** Answers the call about one item: only sent fields change, and only `suspension_info` is read. */
export function answerItem(
  call: AppCall,
  { storeId, itemId }: { readonly storeId: string; readonly itemId: string },
  stores: StoreStates,
  rate: RateWindow,
  now: number,
): AppAnswer {
  const waitMs = rate.take(storeId);
  if (waitMs > 0) return withRetryAfter(refusal(429, 'too_many_requests', TOO_MANY), waitMs);
  const isScripted = call.fault?.kind === 'item_failed' && call.fault.ids.includes(itemId);
  if (isScripted || stores.unknownItems(storeId, [itemId]).length > 0) {
    return refusal(404, 'not_found', 'The item was not found.');
  }
  const body = parseObject(call.body);
  const suspension = body && suspensionOf(body['suspension_info'], now);
  if (suspension === undefined || suspension === 'invalid') {
    return refusal(400, 'invalid_request', 'Invalid Request: suspension_info');
  }
  suspend(stores, { storeId, itemId }, suspension);
  return { status: 204 };
}

/** Answers the status of a store: paused, perhaps until a moment, or online. */
export function answerStatus(call: AppCall, storeId: string, stores: StoreStates): AppAnswer {
  const body = parseObject(call.body);
  const { status, paused_until: until, reason } = body ?? {};
  if (status === 'ONLINE') {
    stores.pause(storeId, { paused: false, until: null, reason: null });
    return { status: 204 };
  }
  const end =
    until === undefined ? null : typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (
    status !== 'PAUSED' ||
    Number.isNaN(end) ||
    (reason !== undefined && typeof reason !== 'string')
  ) {
    return refusal(400, 'invalid_request', 'Invalid Request: status');
  }
  stores.pause(storeId, { paused: true, until: end, reason: reason ?? null });
  return { status: 204 };
}

/** Null = on sale. */
type Suspension = { readonly until: number | null } | null;

/** Takes an item off sale, or brings it back. */
export function suspend(
  stores: StoreStates,
  { storeId, itemId }: { readonly storeId: string; readonly itemId: string },
  suspension: Suspension,
): void {
  if (suspension) stores.switchItems(storeId, [{ id: itemId, until: suspension.until }], []);
  else stores.switchItems(storeId, [], [itemId]);
}

export function suspensionOf(value: unknown, now: number): Suspension | 'invalid' {
  if (!isFields(value) || !isFields(value['suspension'])) return 'invalid';
  const { suspend_until: until } = value['suspension'];
  if (until === null) return null;
  if (typeof until !== 'number' || !Number.isInteger(until)) return 'invalid';
  if (until * 1000 <= now) return null;
  return { until: until >= FOR_EVER_S ? null : until * 1000 };
}

function itemsIn(payload: Buffer): readonly Readonly<Record<string, unknown>>[] {
  const items = parseObject(payload)?.['items'];
  return Array.isArray(items) ? items.filter(isFields) : [];
}

export function refusal(status: number, code: string, message: string): AppAnswer {
  return jsonAnswer(status, { code, message });
}
