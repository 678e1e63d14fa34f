import type { Config } from '../config';
import { appA } from './app-a/app-a';
import { appB } from './app-b/app-b';
import { appC } from './app-c/app-c';
import { appD } from './app-d/app-d';
import { APP_NAMES, type AppName, type DeliveryApp } from './types';

export type Registration =
  | { readonly configured: true; readonly app: DeliveryApp }
  /** `reason` is the sentence that the API answers. */
  | { readonly configured: false; readonly name: AppName; readonly reason: string };

const ADAPTERS: Readonly<Record<AppName, DeliveryApp>> = {
  'app-a': appA,
  'app-b': appB,
  'app-c': appC,
  'app-d': appD,
};

/** The adapter of an app, whether or not it may be used here. */
export function adapterOf(name: AppName): DeliveryApp {
  return ADAPTERS[name];
}

/** The adapter of an app, or why there is none. App D is refused unless its setting names the adapter (product.md). */
export function findDeliveryApp(name: AppName, { APP_D }: Pick<Config, 'APP_D'>): Registration {
  if (name === 'app-d' && APP_D === 'refuse') {
    const reason = 'Microservice does not have this integration configured.';
    return { configured: false, name, reason };
  }
  return { configured: true, app: adapterOf(name) };
}

/** Whether a text from a row or a setting names an app. */
export function isAppName(text: string): text is AppName {
  return APP_NAMES.some((name) => name === text);
}
