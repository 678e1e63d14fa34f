import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuBody } from '../../src/menus/rules/walk';

/** A menu as a restaurant had it, and the country of its store. */
export interface FieldMenu {
  readonly store_country: string;
  readonly menu: MenuBody;
}

const DIRECTORY = join(__dirname, '..', 'vectors', 'field-menus');

/** Reads a menu by the number and name of its file. */
export function fieldMenu(name: string): FieldMenu {
  return JSON.parse(readFileSync(join(DIRECTORY, `${name}.json`), 'utf8')) as FieldMenu;
}
