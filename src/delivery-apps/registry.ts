import { appA } from './app-a/app-a';
import { appB } from './app-b/app-b';
import { appC } from './app-c/app-c';
import { APP_D } from './app-d';
import { APP_NAMES, type AppName, type DeliveryApp } from './types';

export type Registration =
  | { readonly configured: true; readonly app: DeliveryApp }
  /** `reason` is the sentence that the API answers. */
  | { readonly configured: false; readonly name: AppName; readonly reason: string };

const REGISTRATIONS: Readonly<Record<AppName, Registration>> = {
  'app-a': { configured: true, app: appA },
  'app-b': { configured: true, app: appB },
  'app-c': { configured: true, app: appC },
  'app-d': APP_D,
};

/** The adapter of an app, or why there is none. */
export function findDeliveryApp(name: AppName): Registration {
  return REGISTRATIONS[name];
}

/** Whether a text from a row or a setting names an app. */
export function isAppName(text: string): text is AppName {
  return APP_NAMES.some((name) => name === text);
}
