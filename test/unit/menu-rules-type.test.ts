import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { DAYS_OF_WEEK } from '../../src/menus/menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import type { MenuBody } from '../../src/menus/rules/walk';

/** The type `MenuDocument` again as a schema: transforms rely on it without checking. */
const text = { type: 'string' };
const optionalText = { type: ['string', 'null'] };
const object = (required: object, optional: object = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const list = (items: object) => ({ type: 'array', items });
const optional = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] });

const price = {
  anyOf: [
    object({ value: text }, { promotion_value: optionalText, free: { enum: [false, null, ''] } }),
    object(
      { free: { const: true } },
      { value: optionalText, promotion_value: { enum: [null, ''] } },
    ),
  ],
};
const quantity = {
  anyOf: [
    object({ min_quantity: text, max_quantity: text }, { exactly: { enum: [null, ''] } }),
    object(
      { exactly: text },
      { min_quantity: { enum: [null, ''] }, max_quantity: { enum: [null, ''] } },
    ),
  ],
};
const period = object({ start: text, end: text });
const schedules = list(
  object({ day_of_week: { type: 'string', enum: DAYS_OF_WEEK }, periods: list(period) }),
);
const description = optionalText;
const mark = { type: ['boolean', 'null'] };
const details = object(
  {},
  {
    tax: optional(object({ rate: text }, { included: mark, excise_rate: optionalText })),
    tax_labels: optional(list(text)),
    alcohol: optional(object({ units: text }, { by_volume: optionalText })),
    serves_alone: mark,
    allergens: optional(list(text)),
    diets: optional(list(text)),
    calories: optional(object({}, { from: optionalText, to: optionalText })),
    barcode: optionalText,
    bundled_items: optional(list(object({ item_external_id: text, quantity: text }))),
    deposit: optional(object({ value: text })),
  },
);

const isMenuDocument = new Ajv2020({ strict: false }).compile(
  object({
    menus: list(
      object(
        { identifier: text, name: text, category_external_ids: list(text), schedules },
        { description },
      ),
    ),
    categories: list(
      object(
        {
          external_id: text,
          name: text,
          data_items: list(object({ item_external_id: text }, { price: optional(price) })),
        },
        { description },
      ),
    ),
    items: list(
      object(
        {
          external_id: text,
          name: text,
          price,
          data_modifier_groups: list(
            object({ modifier_group_external_id: text }, { quantity: optional(quantity) }),
          ),
        },
        {
          description,
          image_url: optionalText,
          schedules: optional(schedules),
          details: optional(details),
          available: mark,
          unavailable_until: optionalText,
          visible_from: optionalText,
          visible_until: optionalText,
        },
      ),
    ),
    modifier_groups: list(
      object({
        external_id: text,
        name: text,
        quantity,
        data_options: list(
          object(
            { item_external_id: text },
            { price: optional(price), quantity: optional(quantity) },
          ),
        ),
      }),
    ),
  }),
);

/** Neither throws nor lets anything through that the type does not say. */
function expectSoundVerdict(body: unknown): void {
  const verdict = checkMenu(body as MenuBody, { equalQuantities: 'accept' });
  expect(verdict.ok ? isMenuDocument(verdict.menu) : verdict.problems.count > 0).toBe(true);
}

test('the example is a menu document', () => {
  expect(isMenuDocument(EXAMPLE_MENU)).toBe(true);
});

test('what passes is a menu document, whatever JSON the lists contained', () => {
  const entries = fc.array(fc.jsonValue(), { maxLength: 5 });
  const lists = fc.record({
    menus: entries,
    categories: entries,
    items: entries,
    modifier_groups: entries,
  });
  fc.assert(fc.property(lists, expectSoundVerdict));
  expect.hasAssertions();
});

test('what passes is a menu document, whatever JSON replaced any part of one', () => {
  const paths = pathsOf(WITH_DETAILS, '').filter((path) => path.split('/').length > 2);
  const value = fc.oneof(
    fc.constantFrom(null, '', 0, '0', '1', true, [], {}),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), value, (path, replacement) => {
      expectSoundVerdict(applyChanges(WITH_DETAILS, [{ op: 'put', path, value: replacement }]));
    }),
    { numRuns: 2000 },
  );
  expect.hasAssertions();
});

const WITH_DETAILS = applyChanges(EXAMPLE_MENU, [
  {
    op: 'put',
    path: '/items/0/details',
    value: {
      tax: { rate: '1600', included: false, excise_rate: '800' },
      tax_labels: ['CAT_FOOD'],
      alcohol: { units: '1', by_volume: '450' },
      serves_alone: true,
      allergens: ['milk'],
      diets: ['vegan'],
      calories: { from: '250', to: '300' },
      barcode: '96385074',
      bundled_items: [{ item_external_id: 'I2', quantity: '1' }],
      deposit: { value: '100' },
    },
  },
]);

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, member]) => pathsOf(member, `${path}/${key}`));
  return [path, ...below];
}
