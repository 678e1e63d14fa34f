import { menuUploadSchema, type MenuUpload } from '../../schemas/menu-upload';
import { type CheckedMenu, toCheckedMenu } from './checked-menu';
import type { JsonSchema, ObjectSchema } from '../contract/answers';
import { MENU_UPLOAD } from '../contract/examples';
import { LARGE_BODY, reducedJsonBody } from '../http/body/request-body';
import { menuAsSent } from './menu-as-sent';

/** An upload with the verdict of the menu rules. */
export interface CheckedUpload extends Pick<MenuUpload, 'store_id' | 'integration_id'> {
  readonly menu: CheckedMenu;
  /** JSON text of an object: the members other than the four lists, as they were sent. */
  readonly sentBeside: string;
}

const { properties } = menuUploadSchema;
export const entriesOf = (list: JsonSchema, schema: string): JsonSchema => ({
  ...list,
  items: { $ref: `#/components/schemas/${schema}` },
});

/** For the API documentation: the lists' content, which has its own rules and messages. */
export const MENU_LISTS = {
  menus: entriesOf(properties.menus, 'Menu'),
  categories: entriesOf(properties.categories, 'Category'),
  items: entriesOf(properties.items, 'Item'),
  modifier_groups: entriesOf(properties.modifier_groups, 'ModifierGroup'),
};

const DESCRIBED_SCHEMA: ObjectSchema = {
  ...menuUploadSchema,
  properties: { ...properties, ...MENU_LISTS },
};

/** The body of an upload. Its handler does not get the menu, which would be 200 MB for 10 MB of text. */
export const MENU_UPLOAD_BODY = reducedJsonBody<typeof menuUploadSchema, MenuUpload, CheckedUpload>(
  {
    name: 'MenuUpload',
    schema: menuUploadSchema,
    described: DESCRIBED_SCHEMA,
    maxBytes: LARGE_BODY,
    example: MENU_UPLOAD,
  },
  ({ value, text }, settings) => {
    const { lists, beside } = menuAsSent(text);
    return {
      store_id: value.store_id,
      integration_id: value.integration_id,
      menu: toCheckedMenu(value, lists, settings),
      sentBeside: beside,
    };
  },
);
