import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { adapterOf } from '../../src/delivery-apps/registry';
import type {
  AppName,
  DeliveryApp,
  ImageVerdict,
  StoreFacts,
  TransformInput,
  TransformResult,
} from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';

const ROOT = join(__dirname, 'golden');

/** An input file: one menu as the API accepts it, with facts about its store and images. */
interface GoldenInput {
  readonly about: string;
  readonly currencyExponent?: 0 | 2;
  readonly badImages?: Readonly<Record<string, ImageVerdict>>;
  readonly menu: MenuDocument;
}

export interface GoldenMenu {
  /** File name without ending, the same for input and outputs. */
  readonly name: string;
  readonly about: string;
  readonly inputFor: (store: StoreFacts) => TransformInput;
}

/** The shared menus, by name. */
export function readGoldenMenus(): readonly GoldenMenu[] {
  return readdirSync(join(ROOT, 'input'))
    .toSorted()
    .map((file) => {
      const { about, currencyExponent, badImages, menu } = readJson(
        join(ROOT, 'input', file),
      ) as GoldenInput;
      return {
        name: file.replace(/\.json$/, ''),
        about,
        inputFor: (store) => ({
          menu,
          store: { ...store, currencyExponent: currencyExponent ?? store.currencyExponent },
          ...(badImages && { badImages: new Map(Object.entries(badImages)) }),
        }),
      };
    });
}

export function readGoldenMenu(name: string): GoldenMenu {
  const found = readGoldenMenus().find((golden) => golden.name === name);
  if (!found) throw new Error(`There is no golden menu ${name}.`);
  return found;
}

/** A golden menu as the app's client sends it. */
export function payloadOf(
  {
    app,
    store,
    settings,
  }: {
    readonly app: DeliveryApp;
    readonly store: StoreFacts;
    readonly settings?: Partial<TransformInput>;
  },
  golden: GoldenMenu,
): Buffer {
  const input = { ...golden.inputFor(store), ...settings };
  return Buffer.from(JSON.stringify(app.transform(input).payload));
}

/** The store for which the golden files are written. */
export const GOLDEN_STORE: StoreFacts = {
  appStoreId: '7d3f6c1e-2b54-4c8e-9f10-5a6b7c8d9e0f',
  currencyExponent: 2,
  locale: 'es_mx',
};

export function goldenPath(app: AppName, name: string): string {
  return join(ROOT, app, `${name}.json`);
}

export function readGoldenResult(app: AppName, name: string): unknown {
  const path = goldenPath(app, name);
  if (!existsSync(path)) {
    const command = `npx tsx dev/checks/write-golden-menus.ts ${app}`;
    throw new Error(`There is no golden/${app}/${name}.json; ${command} writes it.`);
  }
  return readJson(path);
}

/** The current transform of a golden menu. */
export function transformGolden(app: AppName, menu: GoldenMenu): Omit<TransformResult, 'itemIds'> {
  // Most of the menus have cents, which App D takes in one of its two units.
  const input = { ...menu.inputFor(GOLDEN_STORE), appDPriceUnit: 'decimal' } as const;
  const { payload, losses } = adapterOf(app).transform(input);
  return { payload, losses };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
