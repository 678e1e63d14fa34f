import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { Shown } from '../../src/delivery-apps/shown';
import {
  type AppName,
  type Loss,
  storeFactsOf,
  type TransformInput,
  type TransformResult,
} from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';

const FOLDER = join(__dirname, '..', 'vectors', 'field-menus');

/** A menu that a restaurant sent, or that was made after a public report, with the country of its store. */
export interface FieldMenu {
  readonly store_country: string;
  readonly menu: MenuDocument;
}

export function readFieldMenu(name: string): FieldMenu {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as FieldMenu;
}

/** What an app is sent for a menu, what guests see of it, and the losses as `severity code: message`. */
export function transformFieldMenu(
  app: AppName,
  { store_country: countryCode, menu }: FieldMenu,
  settings: Omit<TransformInput, 'menu' | 'store'> = {},
): TransformResult & { readonly shown: Shown; readonly said: readonly string[] } {
  const adapter = adapterOf(app);
  const store = storeFactsOf({ countryCode, appStoreId: '8b2e' });
  const result = adapter.transform({ menu, store, ...settings });
  const sent: unknown = JSON.parse(JSON.stringify(result.payload));
  const shown = adapter.readShown(sent, { store, sentMenus: menu.menus });
  return { ...result, shown, said: result.losses.map(sentence) };
}

function sentence({ severity, code, message }: Loss): string {
  return `${severity} ${code}: ${message}`;
}
