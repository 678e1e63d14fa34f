import type { Report } from './violation';

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly minQty: number;
  readonly maxQty: number;
}

/** A product or a topping whose fields are all there and of the right types. */
export interface Entry {
  readonly skus: readonly string[];
  readonly sku: string;
  readonly type: 'PRODUCT' | 'TOPPING';
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly maxLimit: number | undefined;
  readonly imageUrl: string | undefined;
  readonly category: Category;
  readonly children: readonly Entry[];
}

type Json = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'flag' | 'price' | 'whole' | 'category' | 'list';

const CATEGORY: Fields = {
  required: {
    id: 'text',
    name: 'text',
    minQty: 'whole',
    maxQty: 'whole',
    sortingPosition: 'whole',
  },
  optional: {},
};
const COMMON = {
  name: 'text',
  description: 'text',
  sku: 'text',
  type: 'text',
  price: 'price',
  category: 'category',
} as const;
const PRODUCT: Fields = {
  required: COMMON,
  optional: {
    imageUrl: 'text',
    sortingPosition: 'whole',
    maxLimit: 'whole',
    combo: 'flag',
    rappiIds: 'list',
    children: 'list',
  },
};
const TOPPING: Fields = {
  required: { ...COMMON, sortingPosition: 'whole', maxLimit: 'whole' },
  // Children are known to the app, and refused for their depth.
  optional: { imageUrl: 'text', rappiIds: 'list', children: 'list' },
};

interface Fields {
  readonly required: Readonly<Record<string, Kind>>;
  readonly optional: Readonly<Record<string, Kind>>;
}

/** What of a body is a menu: its entries, those with wrong fields left out and reported. */
export function readMenu(
  body: unknown,
  decimals: boolean,
  report: Report,
): { readonly storeId: string; readonly products: readonly Entry[] } | undefined {
  if (!isJson(body)) {
    report('fields', [], 'The menu must be an object.');
    return undefined;
  }
  const { storeId, items, ...others } = body;
  if (typeof storeId !== 'string' || storeId === '') report('fields', [], 'storeId is required.');
  if (!Array.isArray(items)) report('fields', [], 'items is required.');
  for (const key of Object.keys(others)) report('fields', [], `${key} is not known.`);
  if (typeof storeId !== 'string' || !Array.isArray(items)) return undefined;
  if (items.length === 0) report('minimum_items_complies', [], 'The menu has no items.');
  const products = items.flatMap((item) => readEntry(item, [], decimals, report) ?? []);
  return { storeId, products };
}

function readEntry(
  value: unknown,
  parents: readonly string[],
  decimals: boolean,
  report: Report,
): Entry | undefined {
  if (!isJson(value)) {
    report('fields', parents, 'An item must be an object.');
    return undefined;
  }
  const sku = typeof value['sku'] === 'string' ? value['sku'] : '';
  const skus = [...parents, sku];
  const type = parents.length === 0 ? 'PRODUCT' : 'TOPPING';
  const problems = wrongFields(value, type === 'PRODUCT' ? PRODUCT : TOPPING, decimals);
  for (const problem of problems) report('fields', skus, problem);
  if (problems.length > 0) return undefined;
  const children = Array.isArray(value['children']) ? value['children'] : [];
  if (value['type'] !== type || (type === 'TOPPING' && children.length > 0)) {
    report('invalid_item_depth', skus, `${sku} may not stand at this depth.`);
  }
  const isProduct = type === 'PRODUCT';
  // Every field has the type that its entry names: checked above.
  const fields = value as unknown as Omit<Entry, 'skus' | 'children'>;
  return {
    ...fields,
    skus,
    children: isProduct
      ? children.flatMap((child) => readEntry(child, skus, decimals, report) ?? [])
      : [],
  };
}

function wrongFields(value: Json, { required, optional }: Fields, decimals: boolean): string[] {
  const problems: string[] = [];
  for (const key of Object.keys(required)) {
    if (!Object.hasOwn(value, key)) problems.push(`${key} is required.`);
  }
  const known = new Map(Object.entries({ ...required, ...optional }));
  for (const [key, field] of Object.entries(value)) {
    const kind = known.get(key);
    if (kind === undefined) problems.push(`${key} is not known.`);
    else if (!isOfKind(field, kind, decimals)) problems.push(`${key} is not valid.`);
  }
  return problems;
}

function isOfKind(value: unknown, kind: Kind, decimals: boolean): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'whole':
      return Number.isSafeInteger(value);
    case 'price':
      return decimals ? isDecimal(value) : Number.isSafeInteger(value);
    case 'list':
      return Array.isArray(value);
    case 'category':
      return isJson(value) && wrongFields(value, CATEGORY, decimals).length === 0;
  }
}

/** Two places at most, as they are written. */
function isDecimal(value: unknown): boolean {
  return typeof value === 'number' && /^-?\d+(\.\d{1,2})?$/.test(String(value));
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
