import type { AppAnswer, AppCall } from '../app-simulator';
import { jsonAnswer } from '../app-simulator';
import { type RateWindow, withRetryAfter } from '../rate-window';
import type { MenuReader, StoreStates } from '../store-states';
import { parseJson } from '../read-json';

const MOST_IDS = 100;
const MOST_STORES = 300;

/** Menus do not say what is off sale: items that are off stay off, and new SKUs are on sale. */
export const READ_APP_D: MenuReader = {
  keepsOff: true,
  offIn: () => [],
  itemIds: (payload) => {
    const items = listIn(JSON.parse(payload.toString('utf8')), 'items');
    return new Set(
      items.flatMap((item) =>
        [item, ...listIn(item, 'children')].map((each) => String(each['sku'])),
      ),
    );
  },
};

export interface SwitchParts {
  readonly stores: StoreStates;
  readonly rate: RateWindow;
  /** Whether the app knows a store by the id that integrators give it. */
  readonly isKnown: (storeId: string) => boolean;
}

/** Answers a call that switches up to 100 items: an unknown one refuses all of them, without being named. */
export function answerItems(call: AppCall, { stores, rate, isKnown }: SwitchParts): AppAnswer {
  const [entry, ...more] = asList(parseJson(call.body));
  const storeId = entry?.['store_integration_id'];
  if (!entry || more.length > 0 || typeof storeId !== 'string') return invalid();
  if (!isKnown(storeId)) return jsonAnswer(404, { message: 'Store not found' });
  const waitMs = rate.take(storeId);
  if (waitMs > 0) return withRetryAfter(jsonAnswer(429, { message: 'Too many requests' }), waitMs);
  const items = entry['items'];
  if (!isRecord(items)) return invalid();
  const { turn_off: off = [], turn_on: on = [] } = items;
  if (!isTexts(off) || !isTexts(on)) return invalid();
  const all = [...off, ...on];
  if (all.length === 0 || all.length > MOST_IDS) return invalid();
  const scripted = call.fault?.kind === 'item_failed' ? call.fault.ids : [];
  const isRefused = all.some((id) => scripted.includes(id));
  if (isRefused || stores.unknownItems(storeId, all).length > 0) {
    return jsonAnswer(404, { message: 'item not found' });
  }
  stores.switchItems(
    storeId,
    off.map((id) => ({ id, until: null })),
    on,
  );
  return jsonAnswer(200, { message: 'Items successfully updated' });
}

/** Answers a call that enables or disables stores, which it knows by the app's own numbers. */
export function answerStores(
  call: AppCall,
  stores: StoreStates,
  storeOf: (rappiId: number) => string | undefined,
): AppAnswer {
  const entries = listIn(parseJson(call.body), 'stores');
  const isRight =
    entries.length > 0 &&
    entries.length <= MOST_STORES &&
    entries.every(
      (one) => Number.isInteger(one['store_id']) && typeof one['is_enabled'] === 'boolean',
    );
  if (!isRight) return jsonAnswer(422, { message: 'Unprocessable entity' });
  const results = entries.map(({ store_id: id, is_enabled: given }) => {
    const enabled = given === true;
    const storeId = storeOf(Number(id));
    if (storeId === undefined) return result(id, enabled, 'FORBIDDEN');
    if (stores.shown(storeId).paused !== enabled)
      return result(id, enabled, 'STORE_ALREADY_IN_STATUS');
    stores.pause(storeId, { paused: !enabled, until: null, reason: null });
    return result(id, enabled, 'SUCCESS');
  });
  return jsonAnswer(200, { results });
}

function result(storeId: unknown, enabled: unknown, type: string) {
  return { store_id: storeId, is_enabled: enabled, operation_result_type: type };
}

function invalid(): AppAnswer {
  return jsonAnswer(400, [{ message: 'Error updating items' }]);
}

function asList(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function listIn(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  return asList(isRecord(value) ? value[key] : undefined);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
