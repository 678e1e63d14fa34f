import type { DeliveryApp } from '../types';
import { createAppAClient } from './client';
import { compareMenus } from './same-menu';
import { transformForAppA } from './transform';

/** Several menus with hours of their own, synchronous, all or nothing; can be asked what it shows. */
export const appA: DeliveryApp = {
  name: 'app-a',
  // As many as the API takes in one upload.
  maxMenus: 20,
  tokenScope: 'integration',
  checksImages: true,
  transform: transformForAppA,
  compareMenus,
  createClient: createAppAClient,
};
