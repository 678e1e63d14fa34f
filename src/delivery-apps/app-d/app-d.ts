import type { DeliveryApp } from '../types';
import { createAppDClient } from './client';
import { transformForAppD } from './transform';

/** App D: one menu of products and toppings, without hours, shown once the app's people approve it. */
export const appD: DeliveryApp = {
  name: 'app-d',
  maxMenus: 1,
  tokenScope: 'integration',
  approvedByPeople: true,
  checksImages: false,
  transform: transformForAppD,
  createClient: createAppDClient,
};
