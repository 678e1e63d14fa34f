import type { DeliveryApp } from '../types';
import { APP_C_AVAILABILITY } from './availability';
import { createAppCClient } from './client';
import { APP_C_ITEM_CALLS } from './item-calls';
import { readShownByAppC } from './read-shown';
import { transformForAppC } from './transform';

/** App C: one menu, taken by an asynchronous task; the only app with promotion prices. */
export const appC: DeliveryApp = {
  name: 'app-c',
  maxMenus: 1,
  tokenScope: 'store',
  checksImages: false,
  transform: transformForAppC,
  readShown: readShownByAppC,
  availability: APP_C_AVAILABILITY,
  itemCalls: APP_C_ITEM_CALLS,
  createClient: createAppCClient,
};
