import type { DeliveryApp } from '../types';
import { APP_D_AVAILABILITY } from './availability';
import { createAppDClient } from './client';
import { readShownByAppD } from './read-shown';
import { APP_D_READERS } from './text-readers';
import { transformForAppD } from './transform';

/** App D: one menu of products and toppings, without hours, shown once people at the app approve it. */
export const appD: DeliveryApp = {
  name: 'app-d',
  maxMenus: 1,
  tokenScope: 'integration',
  ownTokens: { specialDays: 'utilities', tasks: 'utilities' },
  storeIdMember: 'store_integration_id',
  approvedByPeople: true,
  readsMenus: true,
  checksImages: false,
  transform: transformForAppD,
  readShown: readShownByAppD,
  availability: APP_D_AVAILABILITY,
  textReaders: APP_D_READERS,
  createClient: createAppDClient,
};
