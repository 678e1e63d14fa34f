import type { AppAnswer, AppCall } from '../app-simulator';
import type { RateWindow } from '../rate-window';
import type { MenuReader, StoreStates } from '../store-states';
import type { Answers } from './answers';
import { isJsonObject, type Json } from './menu-checks';

const MOST_IDS = 100;
const PARAMETER_ERRNO = 10002;
export const TOO_OFTEN_ERRNO = 10005;

export const READ_APP_C: MenuReader = {
  keepsOff: false,
  itemIds: (payload) => new Set(itemsIn(payload).map((item) => String(item['app_item_id']))),
  offIn: (payload) =>
    payload.includes('"status":2')
      ? itemsIn(payload)
          .filter((item) => item['status'] === 2)
          .map((item) => ({ id: String(item['app_item_id']), until: null }))
      : [],
};

/** Answers a call that switches all of its items to one status. */
export function answerItemStatus(
  call: AppCall,
  body: Json,
  shopId: string,
  { stores, rate, answers }: SwitchParts,
): AppAnswer {
  if (rate.take(shopId) > 0) return answers.error(TOO_OFTEN_ERRNO, 'called too often');
  const { app_item_ids: ids, status } = body;
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  if (!isList || ids.length === 0 || ids.length > MOST_IDS || (status !== 1 && status !== 2)) {
    return answers.error(PARAMETER_ERRNO, 'parameter error');
  }
  const sent = ids as readonly string[];
  const scripted = call.fault?.kind === 'item_failed' ? call.fault.ids : [];
  const failed = new Set([...stores.unknownItems(shopId, sent), ...scripted]);
  const success = sent.filter((id) => !failed.has(id));
  const off = status === 2 ? success.map((id) => ({ id, until: null })) : [];
  stores.switchItems(shopId, off, status === 1 ? success : []);
  return answers.ok(JSON.stringify({ success, failed: sent.filter((id) => failed.has(id)) }));
}

/** Answers a call that puts the shop online or offline, by hand or by its hours. */
export function answerShopStatus(
  body: Json,
  shopId: string,
  { stores, answers }: Pick<SwitchParts, 'stores' | 'answers'>,
): AppAnswer {
  const { biz_status: status, auto_switch: automatic } = body;
  const isRight = (status === 1 || status === 2) && (automatic === 1 || automatic === 2);
  if (!isRight) return answers.error(PARAMETER_ERRNO, 'parameter error');
  stores.pause(shopId, { paused: status === 2, until: null, reason: null });
  return answers.ok(
    JSON.stringify({ biz_status: status, auto_switch: automatic, sub_biz_status: 0 }),
  );
}

export interface SwitchParts {
  readonly stores: StoreStates;
  readonly rate: RateWindow;
  readonly answers: Answers;
}

function itemsIn(payload: Buffer): readonly Json[] {
  const menu: unknown = JSON.parse(payload.toString('utf8'));
  const items = isJsonObject(menu) ? menu['items'] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}
