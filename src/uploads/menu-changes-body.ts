import type { FromSchema } from 'json-schema-to-ts';
import {
  changedMenuSchema,
  menuChangesSchema,
  type MenuChangesRequest,
} from '../../schemas/menu-changes';
import { MENU_CHANGES } from '../contract/change-examples';
import { LARGE_BODY, reducedJsonBody } from '../http/body/request-body';
import { toProblemDetails, toSentences } from '../menus/rules/problems-in-answers';
import { type AppliedChanges, applyChanges } from '../menus/wanted-changes/apply-changes';
import { checkWantedChanges } from '../menus/wanted-changes/check-wanted-changes';
import type { WantedChanges } from '../menus/wanted-changes/wanted-changes';
import { rawMembers } from '../platform/text/raw-json';
import type { CheckedMenu } from './checked-menu';
import { entriesOf } from './menu-upload-body';

/** Changes of single items with the verdict of the menu rules. */
export type CheckedChanges =
  | { readonly ok: true; readonly changes: WantedChanges }
  | Extract<CheckedMenu, { ok: false }>;

interface MenuChangesBody extends Pick<MenuChangesRequest, 'store_id' | 'integration_ids'> {
  readonly checked: CheckedChanges;
  /** How many elements were sent. */
  readonly itemCount: number;
  readonly optionCount: number;
}

const { properties } = menuChangesSchema;

/** The body of a request that changes single items. */
export const MENU_CHANGES_BODY = reducedJsonBody<
  typeof menuChangesSchema,
  MenuChangesRequest,
  MenuChangesBody
>(
  {
    name: 'ItemChanges',
    schema: menuChangesSchema,
    described: {
      ...menuChangesSchema,
      properties: {
        ...properties,
        items: entriesOf(properties.items, 'ItemChange'),
        options: entriesOf(properties.options, 'OptionPriceChange'),
      },
    },
    maxBytes: LARGE_BODY,
    example: MENU_CHANGES,
  },
  ({ value }, settings) => {
    const { store_id, integration_ids } = value;
    const [items, options] = [value.items ?? [], value.options ?? []];
    const verdict = checkWantedChanges(items, options, {
      equalQuantities: settings.MENU_EQUAL_QUANTITIES,
      zeroPrices: settings.MENU_ZERO_PRICES,
    });
    return {
      store_id,
      ...(integration_ids === undefined ? {} : { integration_ids }),
      checked: verdict.ok
        ? verdict
        : {
            ok: false,
            sentences: toSentences(verdict.problems),
            details: toProblemDetails(verdict.problems),
            omitted: verdict.problems.omitted,
          },
      itemCount: items.length,
      optionCount: options.length,
    };
  },
);

/** A kept menu and what is to change in it. Of no route: it is read as bodies are, a large one in a thread. */
export const CHANGED_MENU = reducedJsonBody<
  typeof changedMenuSchema,
  FromSchema<typeof changedMenuSchema>,
  AppliedChanges
>(
  { name: 'ChangedMenu', schema: changedMenuSchema, maxBytes: 2 * LARGE_BODY, example: {} },
  ({ value, text }) =>
    // The service has made both, of what was checked.
    applyChanges(rawMembers(text).get('menu') ?? '{}', value.changes as unknown as WantedChanges),
);

/** The bytes of a `CHANGED_MENU`. */
export function changedMenuBytes(menu: Buffer, changes: WantedChanges): Buffer {
  return Buffer.concat([
    Buffer.from(`{"changes":${JSON.stringify(changes)},"menu":`),
    menu,
    Buffer.from('}'),
  ]);
}
