import { suspensionOf } from './switch-items';
import { refuse } from './broken-rule';
import { checkDetails } from './check-details';
import {
  readCount,
  readFields,
  readList,
  readOneOf,
  readOptionalFields,
  readExternalData,
  readOptionalString,
  readOptionalText,
  readString,
  readText,
} from './read-fields';
import { readQuantityInfo, type SentQuantityInfo } from './read-quantities';
import { readOverrides, type SentOverride } from './read-overrides';

/** A menu whose fields were checked, with only the parts that later rules need. */
export interface SentMenu {
  readonly menus: readonly SentMenuEntry[];
  readonly categories: readonly SentCategory[];
  readonly items: readonly SentItem[];
  readonly groups: readonly SentGroup[];
}

interface SentDay {
  readonly day: SentWeekday;
  readonly periods: readonly { readonly start: string; readonly end: string }[];
}

export interface SentMenuEntry {
  readonly id: string;
  readonly days: readonly SentDay[];
  readonly categoryIds: readonly string[];
}

interface SentCategory {
  readonly id: string;
  readonly itemIds: readonly string[];
}

export interface SentItem {
  readonly id: string;
  readonly bundledIds: readonly string[];
  readonly price: number;
  readonly priceOverrides: readonly (SentOverride & { readonly price: number })[];
  readonly quantityInfo: SentQuantityInfo;
  readonly groupIds: readonly string[];
  readonly groupOverrides: readonly (SentOverride & { readonly groupIds: readonly string[] })[];
}

interface SentGroup {
  readonly id: string;
  readonly quantityInfo: SentQuantityInfo;
  readonly optionIds: readonly string[];
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type SentWeekday = (typeof WEEKDAYS)[number];

const MENU_TYPES = [
  'MENU_TYPE_FULFILLMENT_DELIVERY',
  'MENU_TYPE_FULFILLMENT_PICK_UP',
  'MENU_TYPE_FULFILLMENT_DINE_IN',
] as const;

/** Reads the four lists of a menu, refusing it at the first field that is missing or of another type. */
export function readMenu(payload: unknown): SentMenu {
  const root = readFields(payload, 'body');
  if (root['menu_type'] !== undefined) readOneOf(root['menu_type'], MENU_TYPES, 'menu_type');
  return {
    menus: readEach(root['menus'], 'menus', readMenuEntry),
    categories: readEach(root['categories'], 'categories', readCategory),
    items: readEach(root['items'], 'items', readItem),
    groups: readEach(root['modifier_groups'], 'modifier_groups', readGroup),
  };
}

function readEach<T>(
  value: unknown,
  where: string,
  read: (value: unknown, where: string) => T,
): readonly T[] {
  return readList(value, where).map((entry, index) => read(entry, `${where}[${index}]`));
}

function readMenuEntry(value: unknown, where: string): SentMenuEntry {
  const menu = readFields(value, where);
  const id = readString(menu['id'], `${where}.id`);
  readText(menu['title'], `${where}.title`);
  readOptionalText(menu['subtitle'], `${where}.subtitle`);
  return {
    id,
    days: readEach(menu['service_availability'], `${where}.service_availability`, readDay),
    categoryIds: readEach(menu['category_ids'], `${where}.category_ids`, readString),
  };
}

function readDay(value: unknown, where: string): SentDay {
  const day = readFields(value, where);
  return {
    day: readOneOf(day['day_of_week'], WEEKDAYS, `${where}.day_of_week`),
    periods: readEach(day['time_periods'], `${where}.time_periods`, (entry, at) => {
      const period = readFields(entry, at);
      const start = readTime(period['start_time'], `${at}.start_time`);
      return { start, end: readTime(period['end_time'], `${at}.end_time`) };
    }),
  };
}

function readTime(value: unknown, where: string): string {
  const time = readString(value, where);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) refuse(`Invalid Time: ${where} ${time}`);
  return time;
}

function readCategory(value: unknown, where: string): SentCategory {
  const category = readFields(value, where);
  const id = readString(category['id'], `${where}.id`);
  readText(category['title'], `${where}.title`);
  readOptionalText(category['subtitle'], `${where}.subtitle`);
  return { id, itemIds: readEach(category['entities'], `${where}.entities`, readItemReference) };
}

function readItemReference(value: unknown, where: string): string {
  const reference = readFields(value, where);
  readOneOf(reference['type'], ['ITEM'], `${where}.type`);
  return readItemId(reference['id'], where);
}

function readItem(value: unknown, where: string): SentItem {
  const item = readFields(value, where);
  const id = readItemId(item['id'], where);
  readText(item['title'], `${where}.title`);
  readOptionalText(item['description'], `${where}.description`);
  readExternalData(item['external_data'], `${where}.external_data`);
  readOptionalString(item['image_url'], `${where}.image_url`);
  if (
    item['suspension_info'] !== undefined &&
    suspensionOf(item['suspension_info'], 0) === 'invalid'
  ) {
    refuse(`Invalid Request: ${where}.suspension_info`);
  }
  // Required, and valid when empty.
  readFields(item['tax_info'], `${where}.tax_info`);
  const bundledIds = checkDetails(item, where);
  const { price, priceOverrides } = readPriceInfo(item['price_info'], id, where);
  const groups = readOptionalFields(item['modifier_group_ids'], `${where}.modifier_group_ids`);
  const ids = item['modifier_group_ids'] === undefined ? [] : groups['ids'];
  const groupsAt = `${where}.modifier_group_ids`;
  return {
    id,
    bundledIds,
    price,
    priceOverrides,
    quantityInfo: readQuantityInfo(item['quantity_info'], `item ${id}`),
    groupIds: readEach(ids, `${groupsAt}.ids`, readString),
    groupOverrides: readOverrides(groups['overrides'], groupsAt, (fields) => ({
      groupIds: readEach(fields['ids'], `${groupsAt}.overrides.ids`, readString),
    })),
  };
}

/** The price of an item and those of its contexts; `id` names it in a refusal. */
export function readPriceInfo(
  value: unknown,
  id: string,
  where: string,
): Pick<SentItem, 'price' | 'priceOverrides'> {
  const info = readFields(value, `${where}.price_info`);
  if (info['container_deposit'] !== undefined) readPrice(info['container_deposit'], id);
  return {
    price: readPrice(info['price'], id),
    priceOverrides: readOverrides(info['overrides'], `${where}.price_info`, (fields) => ({
      price: readPrice(fields['price'], id),
    })),
  };
}

/** The app's own words for an item that it cannot tell from others. */
function readItemId(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') refuse(`nil item: ${where}`);
  return value;
}

function readPrice(value: unknown, itemId: string): number {
  return readCount(value, `Invalid Price Info: item ${itemId} price`);
}

function readGroup(value: unknown, where: string): SentGroup {
  const group = readFields(value, where);
  const id = readString(group['id'], `${where}.id`);
  readText(group['title'], `${where}.title`);
  readExternalData(group['external_data'], `${where}.external_data`);
  return {
    id,
    quantityInfo: readQuantityInfo(group['quantity_info'], `modifier group ${id}`, {
      isGroup: true,
    }),
    optionIds: readEach(group['modifier_options'], `${where}.modifier_options`, readItemReference),
  };
}
