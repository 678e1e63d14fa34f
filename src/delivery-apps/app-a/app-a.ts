import type { DeliveryApp } from '../types';
import { APP_A_AVAILABILITY } from './availability';
import { createAppAClient } from './client';
import { APP_A_ITEM_CALLS } from './item-calls';
import { compareMenus } from './same-menu';
import { readShownByAppA } from './read-shown';
import { transformForAppA } from './transform';

/** Several menus with their own hours; synchronous, all or nothing; can be asked what it shows. */
export const appA: DeliveryApp = {
  name: 'app-a',
  // The most that the API takes in one upload.
  maxMenus: 20,
  tokenScope: 'integration',
  ownTokens: { pauses: 'pauses' },
  readsMenus: true,
  checksImages: true,
  transform: transformForAppA,
  readShown: readShownByAppA,
  compareMenus,
  availability: APP_A_AVAILABILITY,
  itemCalls: APP_A_ITEM_CALLS,
  createClient: createAppAClient,
};
