import type { DeliveryApp } from '../types';
import { createAppCClient } from './client';
import { transformForAppC } from './transform';

/** App C: one menu, taken by an asynchronous task; the only app with promotion prices. */
export const appC: DeliveryApp = {
  name: 'app-c',
  maxMenus: 1,
  tokenScope: 'store',
  checksImages: false,
  transform: transformForAppC,
  createClient: createAppCClient,
};
