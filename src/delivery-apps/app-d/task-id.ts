import { randomUUID } from 'node:crypto';

/**
 * Our id of a pushed menu, because the app gives none: the store, and a random part, which makes the same menu, pushed
 * again a week later, a different task, to which the decision about the first one does not apply.
 */
export function taskIdOf(storeId: string): string {
  return `${storeId}/${randomUUID()}`;
}
