import type { Config } from '../platform/config/config';
import { appA } from './app-a/app-a';
import { appB } from './app-b/app-b';
import { appC } from './app-c/app-c';
import { appD } from './app-d/app-d';
import type { AppName, DeliveryApp, ShippedAppName } from './types';

export type Registration =
  | { readonly configured: true; readonly app: DeliveryApp }
  /** `reason` is the message that the API returns. */
  | { readonly configured: false; readonly name: AppName; readonly reason: string };

/** Register an app that comes with the service here. */
const SHIPPED: Readonly<Record<ShippedAppName, DeliveryApp>> = {
  'app-a': appA,
  'app-b': appB,
  'app-c': appC,
  'app-d': appD,
};

const adapters = new Map<AppName, DeliveryApp>(Object.entries(SHIPPED));

/**
 * Adds another app, before the API or worker of this process starts. Threads only load the shipped apps, so its menus
 * must be small enough to need no thread (256 KB), and it has no preview. Throws if its name is taken.
 */
export function addDeliveryApp(app: DeliveryApp): void {
  if (adapters.has(app.name)) throw new Error(`There is an app ${app.name} already.`);
  adapters.set(app.name, app);
}

/** All apps, the shipped ones first. */
export function deliveryApps(): readonly DeliveryApp[] {
  return [...adapters.values()];
}

/** The adapter of an app, whether or not it is enabled here. Throws if there is none. */
export function adapterOf(name: AppName): DeliveryApp {
  const app = adapters.get(name);
  if (!app) throw new Error(`There is no app ${name}.`);
  return app;
}

/**
 * The adapter of an app, or why there is none. App D is refused unless the setting `APP_D` names the adapter
 * (docs/settings.md).
 */
export function findDeliveryApp(name: AppName, { APP_D }: Pick<Config, 'APP_D'>): Registration {
  const app = adapters.get(name);
  if (!app || (name === 'app-d' && APP_D === 'refuse')) {
    const reason = 'Microservice does not have this integration configured.';
    return { configured: false, name, reason };
  }
  return { configured: true, app };
}

/** Apps whose adapter is enabled here. */
export function enabledApps(settings: Pick<Config, 'APP_D'>): readonly AppName[] {
  return namesOf(({ name }) => findDeliveryApp(name, settings).configured);
}

/** Apps that can be asked which menu they show. */
export function readableApps(): readonly AppName[] {
  return namesOf((app) => app.readsMenus === true);
}

/** Apps that must be told what is off sale after each menu. */
export function appsToldAgain(): readonly AppName[] {
  return namesOf((app) => app.availability.repeatsBehindMenus);
}

/** Apps that know special days by day and month. */
export function appsWithoutYears(): readonly AppName[] {
  return namesOf((app) => app.availability.daysHaveNoYear === true);
}

/** Apps whose menus people approve. */
export function appsApprovedByPeople(): readonly AppName[] {
  return namesOf((app) => app.approvedByPeople === true);
}

/** Whether a text from a row or a setting names an app. */
export function isAppName(text: string): boolean {
  return adapters.has(text);
}

function namesOf(isMeant: (app: DeliveryApp) => boolean): readonly AppName[] {
  return deliveryApps()
    .filter(isMeant)
    .map(({ name }) => name);
}
