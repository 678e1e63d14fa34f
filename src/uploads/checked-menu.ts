import { checkMenu, type MenuCheckOptions } from '../menus/rules/check-menu';
import { toProblemDetails, toSentences } from '../menus/rules/problem-sentences';
import type { MenuBody } from '../menus/rules/walk';
import { AppError, type ErrorDetail } from '../platform/errors';

/** A menu with the verdict of the menu rules. Flat and small, since it is sent from a thread. */
export type CheckedMenu =
  | {
      readonly ok: true;
      readonly menuCount: number;
      /** The four lists as JSON. */
      readonly text: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly sentences: readonly string[];
      readonly details: readonly ErrorDetail[];
    };

/** Checks every inner rule of a menu whose top-level shape is known. */
export function toCheckedMenu(
  body: MenuBody,
  equalQuantities: MenuCheckOptions['equalQuantities'],
): CheckedMenu {
  const verdict = checkMenu(body, { equalQuantities });
  if (verdict.ok) {
    const { menu } = verdict;
    return { ok: true, menuCount: menu.menus.length, text: Buffer.from(JSON.stringify(menu)) };
  }
  const { problems } = verdict;
  return { ok: false, sentences: toSentences(problems), details: toProblemDetails(problems) };
}

/** The menu that broke no rule; throws the 409 with all sentences of one that did. */
export function requireRightMenu(menu: CheckedMenu): Extract<CheckedMenu, { ok: true }> {
  if (menu.ok) return menu;
  throw new AppError('menu_invalid', menu.sentences, { details: menu.details });
}

/** The same memory: from a thread a Buffer arrives as the plain bytes that it is. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
