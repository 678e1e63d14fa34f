import { references } from './check-references';
import {
  array,
  id,
  imageUrl,
  integer,
  isObject,
  object,
  price,
  text,
  uniqueIds,
  type Check,
} from './check-shape';
import { shifts } from './check-shifts';
import type { MenuError } from './menu-error';

export const name = text(1, 100);
export const description = text(0, 1_000);

const itself = (element: unknown): unknown => element;
const field =
  (key: string) =>
  (element: unknown): unknown =>
    isObject(element) ? element[key] : undefined;

const ids = array(id, uniqueIds(itself));

const limits: Check = (value, path, report) => {
  if (!isObject(value)) return;
  const { min, max } = value;
  if (!Number.isInteger(min) || !Number.isInteger(max)) return;
  if (Number(min) >= 0 && Number(min) <= Number(max) && Number(max) >= 1) return;
  report('invalid_quantity', path, 'must be 0 <= min <= max, and max at least 1');
};

const menu = object({
  required: { id, name, category_ids: ids, shifts },
  optional: { description },
});

const category = object({ required: { id, name, item_ids: ids }, optional: { description } });

const freeUnits: Check = (value, path, report) => {
  if (!isObject(value) || value['free'] === undefined) return;
  const { free, max } = value;
  if (!Number.isInteger(free) || !Number.isInteger(max)) return;
  if (Number(free) >= 0 && Number(free) <= Number(max)) return;
  report('invalid_quantity', `${path}/free`, 'must be 0 <= free <= max');
};

const groupOfItem = object(
  { required: { id, min: integer, max: integer }, optional: { free: integer } },
  limits,
  freeUnits,
);

const status: Check = (value, path, report) => {
  if (value === 'AVAILABLE' || value === 'UNAVAILABLE') return;
  report('wrong_type', path, 'must be AVAILABLE or UNAVAILABLE');
};

const ean: Check = (value, path, report) => {
  if (typeof value === 'string' && /^(\d{8}|\d{12,14})$/.test(value)) return;
  report('wrong_type', path, 'must be a barcode of 8 or 12 to 14 digits');
};

const item = object({
  required: { id, name, price, option_groups: array(groupOfItem, uniqueIds(field('id'))) },
  optional: { description, image_url: imageUrl, shifts, status, ean },
});

const option = object({ required: { item_id: id }, optional: { price } });

const optionGroup = object({
  required: { id, name, options: array(option, uniqueIds(field('item_id'))) },
});

const unique = uniqueIds(field('id'));

const document = object(
  {
    required: {
      menu,
      categories: array(category, unique),
      items: array(item, unique),
      option_groups: array(optionGroup, unique),
    },
  },
  references,
);

/** Every error of an uploaded menu, in document order, references last; none = App B accepts it. */
export function validateMenu(value: unknown): readonly MenuError[] {
  const errors: MenuError[] = [];
  document(value, '', (code, path, message) => {
    errors.push({ code, path, message });
  });
  return errors;
}
