import type { DeliveryApp } from '../types';
import { APP_C_AVAILABILITY } from './availability';
import { createAppCClient } from './client';
import { APP_C_ITEM_CALLS } from './item-calls';
import { readShownByAppC } from './read-shown';
import { READ_SPACING_MS } from './rules';
import { APP_C_READERS } from './text-readers';
import { transformForAppC } from './transform';

/** App C: one menu, taken by an asynchronous task; the only app with promotion prices. */
export const appC: DeliveryApp = {
  name: 'app-c',
  maxMenus: 1,
  tokenScope: 'store',
  readsMenus: true,
  readSpacingMs: READ_SPACING_MS,
  checksImages: false,
  transform: transformForAppC,
  readShown: readShownByAppC,
  availability: APP_C_AVAILABILITY,
  textReaders: APP_C_READERS,
  itemCalls: APP_C_ITEM_CALLS,
  createClient: createAppCClient,
};
