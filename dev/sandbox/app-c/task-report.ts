import { longId } from './long-id';
import { isJsonObject, type Json } from './menu-checks';
import type { TaskRefusal } from './task-rules';

export type TaskStatus = 0 | 1 | 2 | 3 | 4 | 5;

const STATUS_TEXTS: Readonly<Record<TaskStatus, string>> = {
  0: 'waiting',
  1: 'success',
  2: 'failed',
  3: 'waitRetry',
  4: 'running',
  5: 'partial success',
};

export interface TaskFacts {
  readonly id: string;
  readonly shopId: string;
  /** unix s */
  readonly createTime: number;
  readonly status: TaskStatus;
}

/** `data` of an answer or callback about a task: JSON text, its ids of 64 bits as bare digits like the app's. */
export function taskReport(task: TaskFacts, operationList = '[]'): string {
  const { id, createTime, status } = task;
  const message = JSON.stringify(STATUS_TEXTS[status]);
  const head = `"taskID":${id},"createTime":${createTime},"status":${status},"message":${message}`;
  return `{${head},"appShopID":${JSON.stringify(task.shopId)},"operationList":${operationList}}`;
}

/** The number for every scripted refusal: a forbidden word. */
const REFUSED_ERRNO = 80_107;

/**
 * What a finished task did, operation by operation: JSON text. `refused` are POS ids of items. Only the last
 * operation says, as text, why they and the `groups` were refused. `isQuiet`: nothing else mentions them.
 */
export function operationsOf(
  menu: Json,
  refused: ReadonlySet<string>,
  isQuiet: boolean,
  groups: readonly TaskRefusal[] = [],
): string {
  const items = Array.isArray(menu['items']) ? menu['items'].filter(isJsonObject) : [];
  const failed: string[] = [];
  const refusals: Json[] = [];
  const taken: string[] = [];
  const badImages: string[] = [];
  for (const item of items) {
    if (refused.has(String(item['app_item_id']))) {
      refusals.push(refusalOf(item));
      if (!isQuiet) failed.push(entry(item, 0, 'update err'));
    } else taken.push(entry(item, 1, 'ok'));
    if (isBadImage(item['head_img'])) badImages.push(entry(item, 0, 'image link is invalid'));
  }
  const operations = [
    operation('cateUpdate', [], []),
    operation('itemUpdate', taken, failed),
    operation('imageUrlCheck', [], badImages),
    operation('menuUpdate', [], []),
    lastOperation([...refusals, ...groups.map(detailed)]),
  ];
  return `[${operations.join(',')}]`;
}

/** The operations of a task that failed because of its menu: none, except for the reasons. JSON text. */
export function refusedOperations(refusals: readonly TaskRefusal[]): string {
  return refusals.length === 0 ? '[]' : `[${lastOperation(refusals.map(detailed))}]`;
}

function detailed({ errno, id }: TaskRefusal): Json {
  return { errno, id, name: '', val: '', limit: '' };
}

/** Its list of refusals is JSON as text, in the message of its one failure. */
function lastOperation(refusals: readonly Json[]): string {
  const failed = refusals.length === 0 ? [] : [{ status: 0, message: JSON.stringify(refusals) }];
  return JSON.stringify({
    operationType: 'uploadTaskDone',
    successList: [],
    failedList: failed,
    failInfoUrl: '',
  });
}

function refusalOf(item: Json): Json {
  return {
    errno: REFUSED_ERRNO,
    name: item['item_name'],
    id: item['app_item_id'],
    val: '',
    limit: '',
  };
}

function operation(type: string, succeeded: readonly string[], failed: readonly string[]): string {
  const lists = `"successList":[${succeeded.join(',')}],"failedList":[${failed.join(',')}]`;
  return `{"operationType":"${type}",${lists}}`;
}

function entry(item: Json, status: 0 | 1, message: string): string {
  const posId = String(item['app_item_id']);
  const rest = JSON.stringify({
    message,
    itemName: item['item_name'],
    appItemID: posId,
    itemImageURL: item['head_img'] ?? '',
  });
  return `{"status":${status},"itemID":${longId(posId)},${rest.slice(1)}`;
}

/** The sandbox fetches nothing: a link is bad when it is not https, or names a format that the app does not take. */
function isBadImage(link: unknown): boolean {
  if (typeof link !== 'string' || link === '') return false;
  const extension = /\.([a-z]+)(?:[?#]|$)/i.exec(link)?.[1]?.toLowerCase();
  return !link.startsWith('https://') || ['webp', 'svg', 'avif', 'bmp'].includes(extension ?? '');
}
