import type { DeliveryApp } from '../types';
import { createAppBClient } from './client';
import { transformForAppB } from './transform';

/** One menu, the same hours every day, synchronous; prices as decimal text. */
export const appB: DeliveryApp = {
  name: 'app-b',
  maxMenus: 1,
  tokenScope: 'integration',
  checksImages: false,
  transform: transformForAppB,
  createClient: createAppBClient,
};
