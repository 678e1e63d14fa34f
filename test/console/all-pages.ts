import { ROUTES } from '../../src/run/routes';
import type { ConsoleMenus } from './console-menus';
import type { ConsoleWorld } from './console-world';

/** Every page of the console that a link leads to, by the id of its route. */
export const PAGE_IDS: readonly string[] = ROUTES.filter(
  ({ id, method, answers }) =>
    id.startsWith('console/') &&
    method === 'get' &&
    answers.some((answer) => 'mediaType' in answer && answer.mediaType === 'text/html'),
).map(({ id }) => id);

/** Where each has the most to show, for an operator who has a webhook for events and whose stores are the owner's. */
export function pathsOf(
  world: ConsoleWorld,
  menus: ConsoleMenus,
): Readonly<Record<string, string>> {
  const { failedId, deliveryId, systemId, rows } = world;
  const { storeId, integrationId } = rows.key;
  return {
    'console/overview': '/console',
    'console/find': '/console/find?q=margherita',
    'console/uploads': '/console/uploads',
    'console/upload': `/console/uploads/${failedId}`,
    'console/upload-shown': `/console/uploads/${menus.liveId}/shown`,
    'console/upload-changes': `/console/uploads/${menus.liveId}/changes`,
    'console/deliveries': '/console/deliveries',
    'console/delivery': `/console/deliveries/${deliveryId}`,
    'console/resend-many': `/console/resend?inventory_system_id=${systemId}&type=2&state=exhausted`,
    'console/webhooks': '/console/webhooks',
    'console/webhook': `/console/webhooks/${systemId}/2`,
    'console/events-webhook': '/console/webhooks/events',
    'console/users': '/console/users',
    'console/stores': '/console/stores',
    'console/store': `/console/stores/${storeId}`,
    'console/store-menu': `/console/stores/${storeId}/menu?item=water`,
    'console/preview-form': `/console/stores/${storeId}/preview`,
    'console/apps': '/console/apps',
    'console/app': `/console/apps/${integrationId}`,
    'console/rollouts': '/console/rollouts',
    'console/rollout': `/console/rollouts/${menus.rolloutId}`,
    'console/availability': '/console/availability',
    'console/sign-in': '/console/sign-in',
    'console/sign-in-link': '/console/sign-in/link?secret=unknown',
  };
}

/** What else has a look of its own. */
export const OTHER_LOOKS = [
  'nothing found',
  'a refusal',
  'a resend that would send nothing',
  'a live upload',
  'what a failed menu would change',
  'the menus of a store',
  'an item that no menu has',
  'the messages about an item',
  'events',
] as const;

export function otherPathsOf(
  world: ConsoleWorld,
  menus: ConsoleMenus,
): Readonly<Record<(typeof OTHER_LOOKS)[number], string>> {
  const { storeId } = world.rows.key;
  return {
    'nothing found': '/console/find?q=nothing+of+this+name',
    'a refusal': '/console/uploads?state=wrong',
    'a resend that would send nothing': '/console/resend?store_id=1',
    'a live upload': `/console/uploads/${menus.liveId}`,
    'what a failed menu would change': `/console/uploads/${world.failedId}/changes?against=live`,
    'the menus of a store': `/console/stores/${storeId}/menu`,
    'an item that no menu has': `/console/stores/${storeId}/menu?item=nothing+of+this+name`,
    'the messages about an item': `/console/deliveries?store_id=${storeId}&external_id=margherita`,
    events: '/console/deliveries?events=true',
  };
}
