import type { DeliveryApp } from '../types';
import { APP_B_AVAILABILITY } from './availability';
import { createAppBClient } from './client';
import { APP_B_ITEM_CALLS } from './item-calls';
import { APP_B_READERS } from './refusal-reasons';
import { readShownByAppB } from './read-shown';
import { transformForAppB } from './transform';

/** One menu, the same hours every day, synchronous; prices as decimal text. */
export const appB: DeliveryApp = {
  name: 'app-b',
  maxMenus: 1,
  tokenScope: 'integration',
  checksImages: false,
  transform: transformForAppB,
  readShown: readShownByAppB,
  availability: APP_B_AVAILABILITY,
  itemCalls: APP_B_ITEM_CALLS,
  textReaders: APP_B_READERS,
  createClient: createAppBClient,
};
