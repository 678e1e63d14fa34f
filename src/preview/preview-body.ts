import { menuPreviewSchema, type MenuPreview } from '../../schemas/menu-preview';
import { LARGE_BODY, reducedJsonBody } from '../http/body/request-body';
import type { ObjectSchema } from '../contract/answers';
import { MENU_UPLOAD } from '../contract/examples';
import { MENU_LISTS } from '../uploads/menu-upload-body';
import { type CheckedMenu, toCheckedMenu } from '../uploads/checked-menu';
import { menuAsSent } from '../uploads/menu-as-sent';

/** A menu to preview, with the verdict of the menu rules. */
export interface CheckedPreview extends Pick<MenuPreview, 'store_id'> {
  /** As they were sent; undefined: all that the store is connected to. */
  readonly integration_ids: NonNullable<MenuPreview['integration_ids']> | undefined;
  readonly menu: CheckedMenu;
  /** JSON text of an object: the members other than the menu's lists and `integration_ids`, as they were sent. */
  readonly sentBeside: string;
}

const DESCRIBED_SCHEMA: ObjectSchema = {
  ...menuPreviewSchema,
  properties: { ...menuPreviewSchema.properties, ...MENU_LISTS },
};

const { integration_id, ...example } = MENU_UPLOAD;

/** The body of an upload, with `integration_ids` in place of `integration_id`. */
export const MENU_PREVIEW_BODY = reducedJsonBody<
  typeof menuPreviewSchema,
  MenuPreview,
  CheckedPreview
>(
  {
    name: 'MenuPreview',
    schema: menuPreviewSchema,
    described: DESCRIBED_SCHEMA,
    maxBytes: LARGE_BODY,
    isPatient: true,
    example: { ...example, integration_ids: [integration_id] },
  },
  ({ value, text }, settings) => {
    const { lists, beside } = menuAsSent(text, ['integration_ids']);
    return {
      store_id: value.store_id,
      integration_ids: value.integration_ids ?? undefined,
      menu: toCheckedMenu(value, lists, settings),
      sentBeside: beside,
    };
  },
);
