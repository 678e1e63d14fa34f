import { createHash, randomUUID } from 'node:crypto';
import { isRecord } from '../is-record';

/**
 * Our id of a pushed menu, because the app gives none: the store, a digest of what can be found again in the menus
 * that the app shows, and a random part. That part makes the same menu, pushed again a week later, a different task,
 * to which the decision about the first one does not apply.
 */
export function taskIdOf(storeId: string, digest: string): string {
  return [storeId, digest, randomUUID()].join('/');
}

/** The digest of the menu of a task. */
export function digestIn(taskId: string): string | undefined {
  return taskId.split('/').at(-2);
}

/**
 * SHA-256 of all SKUs with their prices and names: without names, a menu with changed names would seem live before
 * anyone has reviewed it. Other texts, images and positions are left out, as are blanks and the case of names,
 * because the app may write them differently.
 */
export function digestOf(items: unknown): string {
  const lines = new Set<string>();
  const open: unknown[] = Array.isArray(items) ? [...items] : [];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (!isRecord(entry)) continue;
    lines.add(JSON.stringify([entry['sku'], entry['price'], plain(entry['name'])]));
    // One by one: an answer may list more children than a call can take arguments.
    for (const child of Array.isArray(entry['children']) ? entry['children'] : []) open.push(child);
  }
  return createHash('sha256')
    .update([...lines].toSorted().join('\n'))
    .digest('hex');
}

function plain(name: unknown): unknown {
  if (typeof name !== 'string') return name;
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
