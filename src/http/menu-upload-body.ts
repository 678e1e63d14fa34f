import { menuUploadSchema, type MenuUpload } from '../../schemas/menu-upload';
import { checkMenu } from '../domain/menu-rules/check-menu';
import { toProblemDetails, toSentences } from '../domain/menu-rules/problem-sentences';
import type { ErrorDetail } from '../errors';
import type { JsonSchema, ObjectSchema } from '../openapi/answers';
import { MENU_UPLOAD } from '../openapi/examples';
import { LARGE_BODY, reducedJsonBody } from './request-body';

/** An upload with the verdict of the menu rules. */
export interface CheckedUpload extends Pick<MenuUpload, 'store_id' | 'integration_id'> {
  readonly menu: CheckedMenu;
}

type CheckedMenu =
  | {
      readonly ok: true;
      readonly menuCount: number;
      /** The menu as JSON, without what no rule knows. */
      readonly text: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly sentences: readonly string[];
      readonly details: readonly ErrorDetail[];
    };

const { properties } = menuUploadSchema;
const entriesOf = (list: JsonSchema, schema: string): JsonSchema => ({
  ...list,
  items: { $ref: `#/components/schemas/${schema}` },
});

/** For readers: what is inside of the lists, which have their own rules and sentences. */
const SHOWN_SCHEMA: ObjectSchema = {
  ...menuUploadSchema,
  properties: {
    ...properties,
    menus: entriesOf(properties.menus, 'Menu'),
    categories: entriesOf(properties.categories, 'Category'),
    items: entriesOf(properties.items, 'Item'),
    modifier_groups: entriesOf(properties.modifier_groups, 'ModifierGroup'),
  },
};

/** The body of an upload, and what its handler gets: not the menu, which would be 200 MB for 10 MB of text. */
export const MENU_UPLOAD_BODY = reducedJsonBody<typeof menuUploadSchema, MenuUpload, CheckedUpload>(
  {
    name: 'MenuUpload',
    schema: menuUploadSchema,
    shown: SHOWN_SCHEMA,
    maxBytes: LARGE_BODY,
    example: MENU_UPLOAD,
  },
  ({ value }, { MENU_EQUAL_QUANTITIES }) => ({
    store_id: value.store_id,
    integration_id: value.integration_id,
    menu: checked(value, MENU_EQUAL_QUANTITIES),
  }),
);

function checked(body: MenuUpload, equalQuantities: 'refuse' | 'accept'): CheckedMenu {
  const verdict = checkMenu(body, { equalQuantities });
  if (verdict.ok) {
    const { menu } = verdict;
    return { ok: true, menuCount: menu.menus.length, text: Buffer.from(JSON.stringify(menu)) };
  }
  const { problems } = verdict;
  return { ok: false, sentences: toSentences(problems), details: toProblemDetails(problems) };
}
